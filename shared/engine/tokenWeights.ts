/**
 * Weights of the linear estimator, tokens per feature, one column per tokenizer family.
 * Source: fitted figures of spec/tokens-and-cache.md, appendix A (`feature_weights.json`, November 2026): recorded
 * `count_tokens` answers for code and prose, predicted counts for JSON, logs, markdown and Chinese.
 */
export type Family = 'v3' | 'v4.7';

/** A run of one class costs `once + each · length`; words have a price per length instead. */
export interface Weights {
  /** Price of a lower-case word by length, index 1 to 10; index 11: any longer. */
  readonly lower: readonly number[];
  /** Price of a Capitalised word by length, index 2 to 10; index 11: any longer. */
  readonly capital: readonly number[];
  readonly upper: Run;
  readonly single: number;
  readonly digits: Run;
  readonly space: number;
  readonly spaces: Run;
  readonly newline: number;
  readonly newlines: number;
  readonly tabs: Run;
  readonly han: number;
  readonly kana: number;
  readonly hangul: number;
  readonly cyrillic: Run;
  readonly latinExtended: number;
  /** Per UTF-8 byte. */
  readonly otherByte: number;
  readonly rule: Run;
  readonly camel: number;
  /** Price of one printable ASCII sign, by code; 0 where it is no sign. */
  readonly sign: readonly number[];
}

export interface Run {
  readonly once: number;
  readonly each: number;
}

const run = (once: number, each: number): Run => ({ once, each });

/** Signs in ASCII order: ! " # $ % & ' ( ) * + , - . / : ; < = > ? @ [ \ ] ^ _ ` { | } ~ */
const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

function signs(prices: readonly number[]): readonly number[] {
  const table = new Array<number>(128).fill(0);
  [...SIGNS].forEach((sign, i) => {
    table[sign.charCodeAt(0)] = prices[i] ?? 0;
  });
  return table;
}

export const WEIGHTS: Readonly<Record<Family, Weights>> = {
  v3: {
    lower: [0, 0.895, 0.591, 0.905, 0.872, 1.202, 0.907, 1.036, 1.035, 0.757, 2.452, 2.185],
    capital: [0, 0, 1.428, 1.075, 0.843, 0.591, 0.969, 1.288, 1.564, 2.413, 1.796, 2.105],
    upper: run(0.454, 0.282),
    single: 0.931,
    digits: run(1.212, 0.234),
    space: 0.305,
    spaces: run(0.886, 0.029),
    newline: 1.284,
    newlines: 0.067,
    tabs: run(1.176, 0),
    han: 1.136,
    kana: 0.776,
    hangul: 0.604,
    cyrillic: run(0.223, 0.663),
    latinExtended: 2.925,
    otherByte: 0.272,
    rule: run(1.485, 0),
    camel: 0.616,
    sign: signs([
      0.746, 0.367, 1.083, 0.762, 0.802, 1.054, 0.627, 0.324, 1.214, 0.176, 1.146, 0.685, 0.726,
      0.648, 0.713, 0.759, 0.413, 0.167, 0.73, 0.774, 0.886, 1.38, 0.97, 0.704, 0.604, 1.258, 1.021,
      0.807, 1.188, 0.763, 0, 1.94,
    ]),
  },
  'v4.7': {
    lower: [0, 0.815, 0.69, 1.095, 1.159, 1.431, 1.284, 1.61, 1.78, 2.208, 3.972, 3.205],
    capital: [0, 0, 1.832, 1.925, 1.537, 1.811, 1.737, 2.796, 2.894, 3.832, 3.152, 3.282],
    upper: run(0.234, 0.747),
    single: 0.886,
    digits: run(1.122, 0.257),
    space: 0.392,
    spaces: run(1.089, 0.014),
    newline: 1.11,
    newlines: 0,
    tabs: run(1.349, 0),
    han: 1.128,
    kana: 0.763,
    hangul: 0.597,
    cyrillic: run(0.149, 0.567),
    latinExtended: 2.93,
    otherByte: 0.328,
    rule: run(1.269, 0.13),
    camel: 0.729,
    sign: signs([
      1.348, 0.619, 1.247, 0.971, 1.001, 1.075, 0.802, 0.492, 1.309, 0.33, 1.497, 0.752, 1.148,
      0.836, 0.863, 0.915, 0.49, 0.235, 0.522, 0.992, 0.844, 2.123, 1.13, 1.187, 1.098, 1.871,
      1.372, 0.695, 1.422, 0.686, 0, 2.056,
    ]),
  },
};
