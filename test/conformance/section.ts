/** One part of the scoreboard: its figures as lines of text and as data. No times, a stable order. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly json: unknown;
  /** False: a figure is below what this project holds itself to. */
  readonly ok: boolean;
}

/** Makes a section. Rejects only where the engine itself fails; data that is absent is said in `lines`. */
export type SectionMaker = () => Promise<Section>;
