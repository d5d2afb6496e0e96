import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { Nullable, OneOf } from "./ids.ts";
import { channelOf, decodeStateFrame, encodeStateFrame, stateFields, StateTable } from "./realtime-state.ts";

const schema = Type.Object({
  x: Type.Number({ precision: 0.1 }),
  y: Type.Number({ precision: 0.1 }),
  heading: Type.Integer(),
  speed: Type.Number(),
  siren: Type.Boolean(),
  name: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
});
const fields = stateFields(schema);

const value = fc.record(
  {
    x: fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 10),
    y: fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 10),
    heading: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
    speed: fc.double({ noNaN: true }),
    siren: fc.boolean(),
    name: fc.option(fc.string({ unit: "grapheme", maxLength: 20 })),
    tags: fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const entry = fc.record({
  index: fc.nat(100_000),
  key: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 })),
  ageMs: fc.nat(10_000).map((n) => n * 100),
  fields: value,
});
const frame = fc.record({
  channel: fc.nat(65_535),
  full: fc.boolean(),
  at: fc.nat(2 ** 42),
  removed: fc.array(fc.nat(100_000), { maxLength: 5 }),
  entries: fc.array(entry, { maxLength: 8 }),
});

describe("state frames", () => {
  it("with a number that is too large ends, and is read with the largest one of its sign", () => {
    const most = 2 ** 52 - 1;
    const read = [1e17, 1e308, Number.POSITIVE_INFINITY, -1e308, Number.NaN].map((heading) => {
      const frameOf = {
        channel: 1,
        full: true,
        at: 0,
        removed: [],
        entries: [{ index: 0, key: "a", ageMs: 0, fields: { heading } }],
      };
      return decodeStateFrame(fields, encodeStateFrame(fields, frameOf)).entries[0]?.fields["heading"];
    });
    expect(read).toEqual([most, most, most, -most, 0]);
  });

  it("are decoded as they were encoded", () => {
    fc.assert(
      fc.property(frame, (sent) => {
        const bytes = encodeStateFrame(fields, sent);
        expect(channelOf(bytes)).toBe(sent.channel);
        expect(decodeStateFrame(fields, bytes)).toEqual(sent);
      }),
      { seed: 6, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) },
    );
  });

  it("keep every text, also with a byte order mark; half a pair of surrogates becomes a replacement character", () => {
    const sent = (key: string) => {
      const entries = [{ index: 0, key, ageMs: 0, fields: {} }];
      const bytes = encodeStateFrame(fields, { channel: 1, full: true, at: 0, removed: [], entries });
      return decodeStateFrame(fields, bytes).entries[0]?.key;
    };
    for (const key of ["\u{FEFF}Unit 7", "a\u{0}b", "Žluťoučký 🚓 警察", "\u{10FFFF}"]) expect(sent(key)).toBe(key);
    expect(sent(`a${String.fromCharCode(0xd83d)}b`)?.charCodeAt(1)).toBe(0xfffd);
  });

  it("that are cut short or random are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeStateFrame(fields, bytes);
        } catch (error) {
          expect(error instanceof RangeError || error instanceof SyntaxError).toBe(true);
        }
      }),
      { seed: 6, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) },
    );
    const bytes = encodeStateFrame(fields, {
      channel: 1,
      full: true,
      at: 0,
      removed: [],
      entries: [{ index: 0, key: "abc", ageMs: 0, fields: { name: "x" } }],
    });
    expect(() => decodeStateFrame(fields, bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
    expect(() => decodeStateFrame(fields, Uint8Array.of(9, 0, 0, 0))).toThrow(/format 9/);
  });

  it("a moved unit takes at most 12 bytes behind a header of 13", () => {
    const units = Array.from({ length: 100 }, (_, i) => ({
      index: i + 900,
      key: null,
      ageMs: 300,
      fields: { x: -3999.9 + i, y: 7999.9 - i, heading: 359 },
    }));
    const bytes = encodeStateFrame(fields, { channel: 1, full: false, at: 1, removed: [], entries: units });
    expect((bytes.length - 13) / units.length).toBeLessThanOrEqual(12);
  });

  it("build a table: changed fields merge, fields and entries go away, a full frame replaces all", () => {
    const table = new StateTable(fields);
    const send = (full: boolean, removed: number[], entries: Array<[number, string | null, object]>) =>
      table.apply(
        encodeStateFrame(fields, {
          channel: 1,
          full,
          at: 10_000,
          removed,
          entries: entries.map(([index, key, f]) => ({ index, key, ageMs: 500, fields: f as never })),
        }),
      );
    const now = () => Object.fromEntries([...table.values].map(([key, v]) => [key, v.value]));
    expect(
      send(
        true,
        [],
        [
          [0, "a", { x: 1, name: "A" }],
          [1, "b", { x: 2 }],
        ],
      ),
    ).toEqual(["a", "b"]);
    expect(table.values.get("a")).toEqual({ value: { x: 1, name: "A" }, at: 9500 });
    expect(send(false, [], [[0, null, { x: 1.5, name: null }]])).toEqual(["a"]);
    expect(now()).toEqual({ a: { x: 1.5, name: null }, b: { x: 2 } });
    send(
      false,
      [1],
      [
        [0, null, { name: undefined }],
        [2, "c", { x: 3 }],
      ],
    );
    expect(now()).toEqual({ a: { x: 1.5 }, c: { x: 3 } });
    expect(send(true, [], [[7, "d", { x: 4 }]])).toEqual(["a", "c", "d"]);
    expect(now()).toEqual({ d: { x: 4 } });
  });

  it("hold nullable fields and choices as what they are, so that a number takes a byte or two", () => {
    const kinds = stateFields(
      Type.Object({
        heading: Nullable(Type.Number({ precision: 2 })),
        gear: Nullable(Type.Integer()),
        siren: Nullable(Type.Boolean()),
        name: Nullable(Type.String()),
        state: OneOf(["on", "missing"]),
        last: Nullable(OneOf(["on", "missing"])),
        any: Type.Union([Type.String(), Type.Integer()]),
      }),
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(["steps", "integer", "flag", "text", "text", "text", "json"]);
    expect(kinds[0]?.precision).toBe(2);
  });

  it("of a schema that is no object or too wide are a programming error", () => {
    expect(() => stateFields(Type.String())).toThrow(/object schema/);
    const wide = Type.Object(Object.fromEntries(Array.from({ length: 27 }, (_, i) => [`f${i}`, Type.Integer()])));
    expect(() => stateFields(wide)).toThrow(/at most 26/);
  });
});
