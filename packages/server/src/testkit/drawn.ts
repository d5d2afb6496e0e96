import fc from "fast-check";
import type { TSchema } from "typebox";

/** The properties of a schema that are used. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape | readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** Values of existing objects, by the name of the property that refers to them. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** A number as JSON may contain it but `JSON.stringify` would not write it. */
const written = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

/** Texts that often cause bugs; `x` is a placeholder for the longest allowed text. */
const oddTexts = [
  "",
  " ",
  "x",
  "O'Brien \"--; drop table citizens;",
  "100%_\\",
  "＜script＞<b>&amp;",
  "=1+1",
  "\u202Eevil\u202C",
  "\u0627\u0644\u0633\u0644\u0627\u0645",
  "Zoe\u0301 Łukasz Straße İstanbul",
  "👩‍👩‍👧‍👦",
  "𝕏𐍈",
  "\uD800",
  "a\uDFFFb",
  "a\u0000b",
  "line\r\nSet-Cookie: a=b",
  "\u2028\uFEFF\u200B",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "-1",
  "1e9",
  "2026-02-30",
  "0000-00-00",
];

/** Text of the maximum length, in whole characters. */
const stretched = (sign: string, length: number) => sign.repeat(Math.ceil(length / Array.from(sign).length));

const numbers = [0, 1, -1, 2, 50, 200, 1000, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0.5, 8.64e15];
const oddNumbers = [
  ...numbers,
  1e300,
  -1e300,
  ...["-0", "1e400", "-1e400", "9007199254740993", "18446744073709551616", "1.0", "1E2"].map(written),
];

const unlike = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    [[]],
    "",
    "1",
    [null],
    { length: 1 },
    Object.fromEntries([["__proto__", { admin: true }]]),
  ),
  fc.constantFrom<unknown>(...oddTexts),
  fc.constantFrom<unknown>(...oddNumbers),
  fc.constant(JSON.parse("[".repeat(200) + "]".repeat(200))),
);

function text({ minLength = 0, maxLength, pattern, enum: values }: Shape): fc.Arbitrary<unknown> {
  if (values !== undefined) return fc.constantFrom(...values);
  const longest = Math.min(maxLength ?? 300, 5000);
  const fits = (value: unknown) =>
    typeof value === "string" && Array.from(value).length >= minLength && Array.from(value).length <= longest;
  const full = ["x", "ä", "漢", "😀", "\u0301", "%", "ﷺ", "İ"].map((sign) => stretched(sign, longest));
  const shortest = "y".repeat(minLength);
  const known = new RegExp(pattern ?? "", "u");
  const edge = [...oddTexts, ...full, shortest].filter((value) => fits(value) && known.test(value));
  if (pattern === undefined) return fc.constantFrom(...edge);
  // Negative lookaheads cannot be generated: they are removed from the pattern, and the results filtered.
  const plain = pattern.replaceAll(/\(\?!(?:[^()]|\([^()]*\))*\)/g, "");
  const matching = fc
    .stringMatching(new RegExp(plain))
    .map((value) => value.slice(0, longest))
    .filter((value) => known.test(value) || plain === pattern);
  return edge.length === 0 ? matching : fc.oneof(fc.constantFrom(...edge), matching);
}

function numeric({ minimum = -Infinity, maximum = Infinity, type }: Shape): fc.Arbitrary<unknown> {
  const whole = type === "integer" || (Array.isArray(type) && type.includes("integer"));
  const inside = (value: unknown) =>
    typeof value !== "number" || (value >= minimum && value <= maximum && (!whole || Number.isInteger(value)));
  const ends = [minimum, maximum].filter(Number.isFinite);
  return fc.constantFrom<unknown>(...[...oddNumbers.filter(inside), ...ends]);
}

function list(shape: Shape, known: Known, name: string): fc.Arbitrary<unknown> {
  const item = Array.isArray(shape.items) ? fc.constant(null) : edges(shape.items ?? {}, known, name);
  const { minItems = 0, maxItems = 5 } = shape;
  const short = fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(4, maxItems)) });
  const full = item.map((one) => Array.from({ length: Math.min(maxItems, 600) }, () => one));
  const twice = short.map((some) => [...some, ...some].slice(0, maxItems));
  return fc.oneof({ weight: 6, arbitrary: short }, { weight: 1, arbitrary: full }, { weight: 1, arbitrary: twice });
}

function record(shape: Shape, known: Known): fc.Arbitrary<unknown> {
  if (shape.properties === undefined) {
    const values = typeof shape.additionalProperties === "object" ? shape.additionalProperties : {};
    const key = fc.constantFrom(...(known["keys"] as string[]), "__proto__", "constructor", "nonsense", "");
    return fc.array(fc.tuple(key, edges(values, known, "")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
  }
  const required = new Set(shape.required);
  const parts = Object.entries(shape.properties).map(([name, part]) => {
    const value = edges(part, known, name);
    return fc.tuple(fc.constant(name), required.has(name) ? value : fc.option(value, { nil: undefined }));
  });
  return fc.tuple(...parts).map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

/** Values that the schema allows: boundary values, and those of existing objects. */
export function edges(schema: TSchema | Shape, known: Known, name = ""): fc.Arbitrary<unknown> {
  const shape = schema as Shape;
  const drawn = byType(shape, known, name);
  const there = known[name];
  return there === undefined
    ? drawn
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...there) }, { weight: 2, arbitrary: drawn });
}

function byType(shape: Shape, known: Known, name: string): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map((one) => edges(one, known, name)));
  const types = [shape.type ?? "unknown"].flat();
  if (types.includes("null")) {
    const rest = { ...shape, type: types.find((one) => one !== "null") ?? "unknown" };
    return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: byType(rest, known, name) });
  }
  switch (types[0] ?? "unknown") {
    case "string":
      return text(shape);
    case "integer":
    case "number":
      return numeric(shape);
    case "boolean":
      return fc.boolean();
    case "array":
      return list(shape, known, name);
    case "object":
      return record(shape, known);
    default:
      return unlike;
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value with one member replaced or removed. */
function corrupted(value: unknown): fc.Arbitrary<unknown> {
  const parts = isPlain(value) ? Object.keys(value) : Array.isArray(value) ? value.map((_one, i) => String(i)).slice(0, 3) : [];
  if (parts.length === 0) return unlike;
  return fc.tuple(fc.constantFrom(...parts), fc.boolean()).chain(([part, deeper]) => {
    const old = (value as Record<string, unknown>)[part];
    const one = deeper ? corrupted(old) : fc.option(unlike, { nil: undefined });
    return one.map((fresh) =>
      Array.isArray(value)
        ? value.map((kept: unknown, i) => (String(i) === part ? fresh : kept))
        : { ...(value as object), [part]: fresh },
    );
  });
}

/** The example with about half of its members replaced by generated ones, at every depth. */
function mixed(example: unknown, drawn: unknown, turn = 0): unknown {
  if (Array.isArray(drawn) && Array.isArray(example) && example.length > 0)
    return drawn.map((one, i) => mixed(example[i % example.length], one, turn + i));
  if (!isPlain(drawn) || !isPlain(example)) return drawn;
  const entries = Object.entries(drawn).map(([name, value], i): [string, unknown] => {
    const kept = example[name];
    return [name, kept === undefined || typeof kept === "object" || (i + turn) % 2 === 0 ? mixed(kept, value, turn + i) : kept];
  });
  return { ...example, ...Object.fromEntries(entries) };
}

/** Inputs for one part of an operation: like its example, boundary values, and slightly invalid ones. */
export function inputs(schema: TSchema, example: unknown, known: Known): fc.Arbitrary<unknown> {
  const valid = edges(schema, known);
  const likely = fc.tuple(valid, fc.nat(1)).map(([drawn, turn]) => mixed(example, drawn, turn));
  return fc.oneof(
    { weight: 4, arbitrary: likely },
    { weight: 2, arbitrary: valid },
    { weight: 2, arbitrary: likely.chain(corrupted) },
    { weight: 1, arbitrary: unlike },
  );
}
