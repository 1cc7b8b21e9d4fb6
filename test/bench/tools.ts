/**
 * Tool calls with their results. What a client writes twice is written twice here: `toolUseResult` repeats the text
 * of the result or holds the whole edited file, and makes up a good third of a session file.
 */
import type { Random } from './random.ts';
import type { TextKind, Texts } from './texts.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the model is sent. */
  readonly content: string;
  /** What the client keeps for its own screen. */
  readonly own: unknown;
}

type Make = (source: Source) => ToolCall;

/** Shares and lengths are those of public session files. */
const TOOLS: readonly (readonly [Make, number])[] = [
  [bash, 40],
  [read, 27],
  [edit, 17],
  [grep, 10],
  [write, 4],
  [todo, 3],
];

export class Source {
  readonly random: Random;
  readonly texts: Texts;
  private readonly scale: number;

  /** `scale`: factor on the lengths of results and files. */
  constructor(random: Random, texts: Texts, scale: number) {
    this.random = random;
    this.texts = texts;
    this.scale = scale;
  }

  text(kind: TextKind, median: number, spread: number, most: number): string {
    const length = this.random.length(median * this.scale, spread, most * this.scale);
    return this.texts.take(kind, Math.max(20, length));
  }

  tool(): ToolCall {
    return this.random.weighted(TOOLS)(this);
  }
}

function bash(s: Source): ToolCall {
  const kind = s.random.weighted<TextKind>([
    ['log', 5],
    ['json', 2],
    ['code', 2],
    ['prose', 1],
  ]);
  const stdout = s.text(kind, 380, 1.7, 30_000);
  return {
    name: 'Bash',
    input: { command: s.text('code', 90, 0.8, 2000), description: s.text('prose', 40, 0.3, 90) },
    content: stdout,
    own: { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  };
}

function read(s: Source): ToolCall {
  const filePath = s.texts.path();
  const kind = s.random.weighted<TextKind>([
    ['code', 8],
    ['json', 2],
    ['prose', 2],
    ['chinese', 0.4],
  ]);
  const content = s.text(kind, 3200, 1.2, 60_000);
  const lines = content.split('\n');
  return {
    name: 'Read',
    input: { file_path: filePath },
    content: lines.map((line, i) => `${i + 1}\t${line}`).join('\n'),
    own: {
      type: 'text',
      file: {
        filePath,
        content,
        numLines: lines.length,
        startLine: 1,
        totalLines: lines.length,
      },
    },
  };
}

function edit(s: Source): ToolCall {
  const filePath = s.texts.path();
  const oldString = s.text('code', 220, 1.1, 6000);
  const newString = s.text('code', 330, 1.1, 8000);
  const patch = newString.split('\n').map((line) => `+${line}`);
  return {
    name: 'Edit',
    input: {
      replace_all: false,
      file_path: filePath,
      old_string: oldString,
      new_string: newString,
    },
    content: `The file ${filePath} has been updated successfully.`,
    own: {
      filePath,
      oldString,
      newString,
      originalFile: s.text('code', 12_600, 0.9, 90_000),
      structuredPatch: [
        {
          oldStart: 10,
          oldLines: patch.length,
          newStart: 10,
          newLines: patch.length,
          lines: patch,
        },
      ],
      userModified: false,
      replaceAll: false,
    },
  };
}

function grep(s: Source): ToolCall {
  const content = s.text('code', 700, 1.4, 20_000);
  return {
    name: 'Grep',
    input: { pattern: s.texts.name(), output_mode: 'content', path: '/home/dev/project' },
    content,
    own: {
      mode: 'content',
      numFiles: 0,
      filenames: [],
      content,
      numLines: content.split('\n').length,
    },
  };
}

function write(s: Source): ToolCall {
  const filePath = s.texts.path();
  const content = s.text('code', 3000, 0.9, 40_000);
  return {
    name: 'Write',
    input: { file_path: filePath, content },
    content: `File created successfully at: ${filePath}`,
    own: { type: 'create', filePath, content, structuredPatch: [], originalFile: null },
  };
}

function todo(s: Source): ToolCall {
  const list = () =>
    Array.from({ length: 5 }, () => ({
      content: s.text('prose', 60, 0.4, 150),
      status: s.random.pick(['pending', 'in_progress', 'completed']),
      activeForm: s.text('prose', 60, 0.4, 150),
    }));
  const newTodos = list();
  return {
    name: 'TodoWrite',
    input: { todos: newTodos },
    content: 'Todos have been modified successfully. Proceed with the current tasks if applicable.',
    own: { oldTodos: list(), newTodos },
  };
}
