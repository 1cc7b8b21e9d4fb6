/**
 * The built page: which files there are and with which headers they go out. Only files that are really in the folder
 * are ever served, by name from a list, so that no path can lead outside. Used by the loopback server and by the
 * scheme of the desktop app.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface PageFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Nothing is loaded from elsewhere, nothing inline runs, nobody may frame it. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

export class PageFiles {
  private readonly folder: string;
  private names: ReadonlySet<string>;

  constructor(folder: string) {
    this.folder = folder;
    this.names = listed(folder);
  }

  get built(): boolean {
    return this.names.has('index.html');
  }

  /** `path`: of the address, as it stands there. */
  find(path: string): PageFile | null {
    const name = nameOf(path);
    if (name === null) return null;
    // The page may have been built again since.
    if (!this.names.has(name)) this.names = listed(this.folder);
    if (!this.names.has(name)) return null;
    return {
      body: readFileSync(join(this.folder, name)),
      headers: {
        ...SAFE_HEADERS,
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'cache-control': cachingOf(name),
      },
    };
  }
}

/** Built names hold a hash of what is in them; the page itself may change. */
function cachingOf(name: string): string {
  if (name.startsWith('assets/')) return 'private, max-age=31536000, immutable';
  // A browser looks for the icon again whenever the address changes, with every step.
  return extname(name) === '.svg' ? 'private, max-age=3600' : 'no-store';
}

function nameOf(path: string): string | null {
  try {
    const name = decodeURIComponent(path).replace(/^\//, '');
    return name === '' ? 'index.html' : name;
  } catch {
    return null;
  }
}

function listed(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((e) => e.isFile())
        .map((e) => join(e.parentPath, e.name).slice(folder.length + 1))
        .map((name) => name.replaceAll('\\', '/')),
    );
  } catch {
    return new Set();
  }
}
