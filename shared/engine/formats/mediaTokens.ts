/** Tokens of pictures and documents, from what their headers say. Source: spec tokens-and-cache §1.6. */
import { bytesOf, imageSize, imageTokens } from '../imageSize.ts';
import { DOCUMENT_TOKENS, type Estimate, estimate, IMAGE_TOKENS } from '../tokens.ts';
import { isObject, type Json, list, object, text } from './json.ts';

/** In both families, as a text's estimate is; no bytes of text. */
export type MediaTokens = Pick<Estimate, 'v3' | 'v47'>;

const flat = (tokens: number): MediaTokens => ({ v3: tokens, v47: tokens });

/** A picture whose data is not in the block, or is none, has the middle of the range. */
export function pictureTokens(block: Json): MediaTokens {
  const size = imageSize(text(object(block.source).data));
  if (size === null) return flat(IMAGE_TOKENS);
  return { v3: imageTokens(size, 'v3'), v47: imageTokens(size, 'v4.7') };
}

/** Bytes of a PDF that are looked at for its pages. */
const MOST = 4 << 20;
const PAGE = /\/Type\s*\/Page[^s]/g;

export function documentTokens(block: Json): MediaTokens {
  const source = object(block.source);
  if (source.type === 'text') return estimate(text(source.data));
  if (source.type === 'content' && Array.isArray(source.content))
    return mediaTokens(source.content);
  // Pages of a compressed index are not found: then it counts as one.
  return flat(DOCUMENT_TOKENS * Math.max(1, pagesOf(text(source.data))));
}

function pagesOf(base64: string): number {
  const bytes = bytesOf(base64, MOST);
  let words = '';
  for (let i = 0; i < bytes.length; i += 1 << 14)
    words += String.fromCharCode(...bytes.subarray(i, i + (1 << 14)));
  return words.match(PAGE)?.length ?? 0;
}

/** Of all pictures and documents in a result's list. */
export function mediaTokens(parts: readonly unknown[]): MediaTokens {
  let [v3, v47] = [0, 0];
  for (const part of list(parts).filter(isObject)) {
    const tokens =
      part.type === 'image'
        ? pictureTokens(part)
        : part.type === 'document'
          ? documentTokens(part)
          : flat(0);
    v3 += tokens.v3;
    v47 += tokens.v47;
  }
  return { v3, v47 };
}
