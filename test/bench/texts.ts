/**
 * Texts as they stand in session files. A pool per kind is made once; a text is a piece of its pool, so that a file
 * of 100 MB takes seconds to write. Nothing that is measured looks for repeated texts.
 */
import type { Random } from './random.ts';

export type TextKind = 'prose' | 'code' | 'json' | 'log' | 'chinese';

const POOL = 1 << 19;

const WORDS =
  `the of to a and in is it you that for on are with as be at one have this from or had by not but what all were when
we there can an your which their if do will each how them then many some so these would into has more two like him see
time could no make than first been its who now people my made over did down only way find use may water long little
very after called just where most know get through back much before go good new write our used me man too any day same
right look think also around another came come work three word must because does part even place well such here take
why things help put years different away again off went old number great tell men say small every found still between
name should big give air line set own under read last never us left end along while might next sound below saw
something thought both few those always looked show large often together asked session file request context message
token cache parser buffer stream handler config value index result error branch commit function module test record
implementation configuration authentication serialization`.split(/\s+/);

const HAN =
  '的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴';

/** Signs beyond Latin: a single one makes the engine hold the whole line in two bytes per letter. */
const RARE = ['—', '’', '→', '✓', '│', '…', '“', '🙂'];
/** Mean distance between two of them. Gives the share of such lines that public files have: one in six. */
const RARE_EVERY = 9000;

export class Texts {
  private readonly random: Random;
  private readonly pools: Readonly<Record<TextKind, string>>;

  constructor(random: Random) {
    this.random = random;
    this.pools = {
      prose: this.pool(() => this.sentence()),
      code: this.pool(() => this.codeLine()),
      json: this.pool(() => this.jsonLine()),
      log: this.pool(() => this.logLine()),
      chinese: this.pool(() => this.chineseLine()),
    };
  }

  /** About `length` characters, from the start of a line. */
  take(kind: TextKind, length: number): string {
    const pool = this.pools[kind];
    const room = Math.max(0, pool.length - length - 400);
    const start = pool.indexOf('\n', this.random.int(0, room)) + 1;
    return pool.slice(start, start + Math.min(length, pool.length));
  }

  /** A short name, as of a variable or a file. */
  name(): string {
    const word = () => this.random.pick(WORDS);
    const second = word();
    return word() + second.charAt(0).toUpperCase() + second.slice(1);
  }

  path(): string {
    const folder = this.random.pick(['src', 'src/engine', 'test', 'lib/parse', 'app/views']);
    return `/home/dev/project/${folder}/${this.name()}.ts`;
  }

  private pool(line: () => string): string {
    const lines: string[] = [];
    let length = 0;
    let untilRare = this.random.int(0, 2 * RARE_EVERY);
    while (length < POOL) {
      let next = line();
      untilRare -= next.length;
      if (untilRare < 0) {
        next += ` ${this.random.pick(RARE)}`;
        untilRare = this.random.int(0, 2 * RARE_EVERY);
      }
      lines.push(next);
      length += next.length + 1;
    }
    return lines.join('\n');
  }

  private sentence(): string {
    const { random } = this;
    const words = Array.from({ length: random.int(5, 24) }, () => random.pick(WORDS));
    const text = words.join(' ').replace(/ (\S+)$/, ` \`$1\`${random.pick(['.', '.', '?', ':'])}`);
    const lead = random.weighted([
      ['', 7],
      ['- ', 2],
      ['## ', 1],
    ]);
    return lead + text.charAt(0).toUpperCase() + text.slice(1);
  }

  private codeLine(): string {
    const { random } = this;
    const indent = ' '.repeat(2 * random.int(0, 5));
    switch (random.int(0, 7)) {
      case 0:
        return `${indent}const ${this.name()} = ${this.name()}(${this.name()}, ${random.int(0, 999)});`;
      case 1:
        return `${indent}if (${this.name()}.${random.pick(WORDS)} !== undefined && ${this.name()} > ${random.int(0, 9)}) {`;
      case 2:
        return `${indent}return ${this.name()}.map((${random.pick(WORDS)}) => ${this.name()}[${random.int(0, 9)}]);`;
      case 3:
        return `${indent}// ${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)}`;
      case 4:
        return `${indent}}`;
      case 5:
        return '';
      case 6:
        return `import { ${this.name()}, ${this.name()} } from './${random.pick(WORDS)}/${this.name()}.ts';`;
      default:
        return `${indent}${this.name()}.push({ ${random.pick(WORDS)}: '${random.pick(WORDS)}', ${random.pick(WORDS)}: ${this.name()} });`;
    }
  }

  private jsonLine(): string {
    const { random } = this;
    const value = random.weighted<string>([
      [`"${random.pick(WORDS)} ${random.pick(WORDS)}"`, 4],
      [String(random.int(0, 1_000_000)), 3],
      [random.pick(['true', 'false', 'null']), 2],
      [`"${random.hex(40)}"`, 1],
    ]);
    return `${' '.repeat(2 * random.int(1, 4))}"${random.pick(WORDS)}_${random.pick(WORDS)}": ${value},`;
  }

  private logLine(): string {
    const { random } = this;
    const clock = `2026-11-30T1${random.int(0, 9)}:${random.int(10, 59)}:${random.int(10, 59)}.${random.int(100, 999)}Z`;
    const level = random.pick(['INFO', 'DEBUG', 'WARN', 'ERROR']);
    return `${clock} [${level}] ${this.name()}: ${random.pick(WORDS)} ${random.pick(WORDS)} id=${random.hex(8)} took ${random.int(1, 4000)}ms (${random.int(1, 99)}%)`;
  }

  private chineseLine(): string {
    const { random } = this;
    const han = Array.from({ length: random.int(8, 40) }, () => random.pick([...HAN])).join('');
    return `${han.slice(0, 6)}，${han.slice(6)} ${random.pick(WORDS)} 。`;
  }
}
