/** SHA-256 of texts (UTF-8), for checking recorded digests. */
import { sha256 as hasher } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** 64 lower-case hex digits. */
export const sha256 = (text: string): string => bytesToHex(hasher(utf8ToBytes(text)));

/** A digest that grows: `with` gives the digest of all added so far and one more ending, and stays open. */
export class GrowingDigest {
  private readonly state = hasher.create();

  add(text: string): void {
    this.state.update(utf8ToBytes(text));
  }

  with(ending: string): string {
    return bytesToHex(this.state.clone().update(utf8ToBytes(ending)).digest());
  }
}
