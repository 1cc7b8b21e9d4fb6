/**
 * Growable typed columns. A session is indexed into numbers packed side by side, because 100,000 objects cost
 * hundreds of bytes each and these cost dozens.
 */
type Typed = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type Ctor<T extends Typed> = { new (length: number): T };

export class Column<T extends Typed> {
  private data: T;
  length = 0;

  private readonly make: Ctor<T>;

  constructor(make: Ctor<T>) {
    this.make = make;
    this.data = new make(64);
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new this.make(this.data.length * 2);
      wider.set(this.data as never);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }

  set(index: number, value: number): void {
    this.data[index] = value;
  }

  get(index: number): number {
    return this.data[index] as number;
  }

  /** The values so far, in an array of exactly their length. */
  done(): T {
    return this.data.slice(0, this.length) as T;
  }
}

/** Strings kept once, named by number. Number 0 is "no string". */
export class Interner {
  readonly strings: string[] = [''];
  private readonly numbers = new Map<string, number>([['', 0]]);

  number(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const next = this.strings.length;
    this.strings.push(text);
    this.numbers.set(text, next);
    return next;
  }
}
