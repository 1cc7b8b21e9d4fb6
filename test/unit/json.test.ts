import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isObject,
  list,
  number,
  object,
  readLine,
  text,
  textOrNull,
  texts,
} from '../../shared/engine/formats/json.ts';

describe('a line', () => {
  test.each([
    ['', 'blank'],
    [' \t\r ', 'blank'],
    ['\ufeff', 'blank'],
    ['nonsense', 'not-json'],
    ['{"a":1', 'not-json'],
    ['{"a":"', 'not-json'],
    ['{"a":{"b":1}', 'not-json'],
    ['\0\0\0{"a":1}', 'not-json'],
    ['\0', 'not-json'],
    ['x {"a":1}', 'not-json'],
    ['[1] {"a":1}', 'not-json'],
    ['1', 'not-object'],
    ['null', 'not-object'],
    ['"text"', 'not-object'],
    ['[{"a":1}]', 'not-object'],
  ])('%j is %s', (line, is) => {
    expect(readLine(line)).toEqual({ is });
  });

  test.each([
    ['{"a":1}', { a: 1 }],
    ['  \t{ "a" : 1 }  ', { a: 1 }],
    ['{}', {}],
    ['{"a":"{\\"}"}', { a: '{"}' }],
    ['{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])('%j is a record', (line, value) => {
    expect(readLine(line)).toEqual({ is: 'record', value, escapes: false });
  });

  test.each([
    ['{"a":1}{"b":2}', '{"a":1}'],
    ['{"a":1} {"b":2}', '{"a":1}'],
    ['{"a":1}}', '{"a":1}'],
    ['{"a":1}garbage', '{"a":1}'],
    ['{"a":1}\0\0', '{"a":1}'],
    ['  {"a":{"b":"}{\\\\\\""}} {', '  {"a":{"b":"}{\\\\\\""}}'],
  ])('%j keeps the object it starts with', (line, first) => {
    expect(readLine(line)).toEqual({
      is: 'record',
      escapes: false,
      value: JSON.parse(first) as unknown,
      used: first.length,
    });
  });

  test('balanced braces that are no JSON', () => {
    expect(readLine('{a} {"b":1}')).toEqual({ is: 'not-json' });
  });

  test('any object, with any object behind it', () => {
    const values = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [first, second] = [JSON.stringify(a), JSON.stringify(b)];
        const read = readLine(first + second);
        expect(read).toMatchObject({ is: 'record', used: first.length });
        expect(readLine(first)).toMatchObject({ is: 'record' });
      }),
    );
  });

  test('never throws', () => {
    const near = fc.string({ unit: fc.constantFrom(...'{}[]":,\\u1dn \0a') });
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (line) => {
        expect(['record', 'blank', 'not-json', 'not-object']).toContain(readLine(line).is);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('lone surrogates', () => {
  test.each([
    ['{"a":"\\ud83d"}', { a: '\ufffd' }],
    ['{"a":"x\\uDE00y"}', { a: 'x\ufffdy' }],
    ['{"a":["\\ud83d",{"b":"\\ud83d"}]}', { a: ['\ufffd', { b: '\ufffd' }] }],
    ['{"\\ud83d":1}', { '\ufffd': 1 }],
    ['{"a":"\\ud83d\\ude00"}', { a: '😀' }],
    ['{"a":"\\\\ud83d","n":null,"t":true}', { a: '\\ud83d', n: null, t: true }],
    ['{"a":"\\ud83d"}{"b":1}', { a: '\ufffd' }],
  ])('%s', (line, value) => {
    expect(readLine(line)).toMatchObject({ is: 'record', value, escapes: true });
  });

  test('every text that was read is well formed', () => {
    const any = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '😀') });
    fc.assert(
      fc.property(any, any, (key, value) => {
        const read = readLine(JSON.stringify({ [key]: [value] }));
        expect(read).toMatchObject({ is: 'record' });
        expect(JSON.stringify(read)).not.toMatch(/\\ud/);
      }),
    );
  });
});

test('values of the wrong kind become the empty one', () => {
  const odd = [undefined, null, true, 0, Number.NaN, 'a', [], ['a', 1], { a: 1 }];
  expect(odd.map(isObject)).toEqual([...Array(8).fill(false), true]);
  expect(odd.map((v) => Object.keys(object(v)).length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(odd.map(text)).toEqual(['', '', '', '', '', 'a', '', '', '']);
  expect(odd.map(textOrNull)).toEqual([null, null, null, null, null, 'a', null, null, null]);
  expect(odd.map(number)).toEqual([null, null, null, 0, null, null, null, null, null]);
  expect(odd.map((v) => list(v).length)).toEqual([0, 0, 0, 0, 0, 0, 0, 2, 0]);
  expect(odd.map((v) => texts(v).length)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0]);
  expect(number(Number.POSITIVE_INFINITY)).toBeNull();
});
