import type { TSchema } from "typebox";

/**
 * Binary frames of state topics. Little endian; `varint` is LEB128 of a whole number up to 2^53,
 * `signed` its zigzag form, `text` a varint byte length and UTF-8.
 *
 *   u8 format (1) | u8 flags (bit 0: full) | u16 channel | f64 instant of the frame, ms UTC
 *   varint number of removed entries, then the varint index of each
 *   entries up to the end of the frame:
 *     varint index * 2 + named | text key, if named
 *     varint age in steps of 100 ms
 *     varint mask: bit i says that field i follows; bit n + i, with n fields, says that it is null
 *       (with bit i) or removed (without bit i)
 *     the values of the fields that follow, in order
 *
 * A full frame replaces the whole table; in others, fields left out keep their value. Fields are in
 * the order of the topic's schema, which both sides have:
 *   integer: signed. number with `precision`: signed count of it. other number: f64.
 *   boolean: u8. string: text. anything else: text of its JSON.
 */
export type StateFieldKind = "integer" | "steps" | "double" | "flag" | "text" | "json";

export interface StateField {
  readonly name: string;
  readonly kind: StateFieldKind;
  /** Of `steps`: the smallest difference kept. */
  readonly precision: number;
}

export type StateValue = Readonly<Record<string, unknown>>;

export interface StateEntry {
  readonly index: number;
  /** Null when the receiver knows the index already. */
  readonly key: string | null;
  readonly ageMs: number;
  /** Changed fields only; undefined removes a field. */
  readonly fields: StateValue;
}

export interface StateFrame {
  readonly channel: number;
  readonly full: boolean;
  readonly at: number;
  readonly removed: readonly number[];
  readonly entries: readonly StateEntry[];
}

const format = 1;
const ageStepMs = 100;
/** The mask, two bits per field, has to fit into a safe integer. */
const maxFields = 26;
/** A larger number is written as this one: no frame could hold it, and the loop that writes an infinite one would not end. */
const mostSigned = 2 ** 52 - 1;

interface PartialSchema {
  readonly type?: string | readonly string[];
  readonly precision?: number;
  readonly properties?: Readonly<Record<string, PartialSchema>>;
  readonly anyOf?: readonly PartialSchema[];
}

/** The fields of a state topic's message schema, which must be an object of at most 26 properties. */
export function stateFields(schema: TSchema): StateField[] {
  const { properties } = schema as PartialSchema;
  if (!properties) throw new TypeError("the message of a state topic must be an object schema");
  const names = Object.keys(properties);
  if (names.length > maxFields) throw new TypeError(`a state topic has at most ${maxFields} fields, not ${names.length}`);
  return names.map((name) => {
    const property = properties[name] as PartialSchema;
    const some = property.anyOf?.filter((s) => s.type !== "null");
    const own = some?.length === 1 ? (some[0] as PartialSchema) : property;
    return { name, kind: kindOf(own), precision: own.precision ?? 1 };
  });
}

/** Of a nullable field the kind of its value, for the mask says which ones are null. */
function kindOf({ type: types, precision }: PartialSchema): StateFieldKind {
  const [type, ...others] = [types ?? []].flat().filter((one) => one !== "null");
  if (others.length > 0) return "json";
  if (type === "integer") return "integer";
  if (type === "number") return precision === undefined ? "double" : "steps";
  if (type === "boolean") return "flag";
  return type === "string" ? "text" : "json";
}

export function encodeStateFrame(fields: readonly StateField[], frame: StateFrame): Uint8Array<ArrayBuffer> {
  const out = new Writer(32 + frame.entries.length * 24);
  out.u8(format);
  out.u8(frame.full ? 1 : 0);
  out.u8(frame.channel & 255);
  out.u8(frame.channel >> 8);
  out.f64(frame.at);
  out.varint(frame.removed.length);
  for (const index of frame.removed) out.varint(index);
  for (const entry of frame.entries) writeEntry(out, fields, entry);
  return out.done();
}

function writeEntry(out: Writer, fields: readonly StateField[], entry: StateEntry): void {
  out.varint(entry.index * 2 + (entry.key === null ? 0 : 1));
  if (entry.key !== null) out.text(entry.key);
  out.varint(Math.max(0, Math.round(entry.ageMs / ageStepMs)));
  let present = 0;
  let special = 0;
  fields.forEach(({ name }, i) => {
    if (!(name in entry.fields)) return;
    const value = entry.fields[name];
    if (value !== undefined) present += 2 ** i;
    if (value === undefined || value === null) special += 2 ** i;
  });
  out.varint(present + special * 2 ** fields.length);
  for (const field of fields) {
    const value = entry.fields[field.name];
    if (value !== undefined && value !== null) writeValue(out, field, value);
  }
}

function writeValue(out: Writer, { kind, precision }: StateField, value: unknown): void {
  if (kind === "integer") out.signed(Math.round(value as number));
  else if (kind === "steps") out.signed(Math.round((value as number) / precision));
  else if (kind === "double") out.f64(value as number);
  else if (kind === "flag") out.u8(value ? 1 : 0);
  else out.text(kind === "text" ? (value as string) : JSON.stringify(value));
}

/** The channel of a frame, read without decoding the rest. */
export function channelOf(frame: Uint8Array): number {
  return (frame[2] ?? 0) + (frame[3] ?? 0) * 256;
}

/** Throws `RangeError` if the bytes are not a frame of this format. */
export function decodeStateFrame(fields: readonly StateField[], bytes: Uint8Array): StateFrame {
  const from = new Reader(bytes);
  const found = from.u8();
  if (found !== format) throw new RangeError(`state frame of format ${found}, not ${format}`);
  const full = (from.u8() & 1) === 1;
  const channel = from.u8() + from.u8() * 256;
  const at = from.f64();
  const removed = Array.from({ length: from.count() }, () => from.varint());
  const entries: StateEntry[] = [];
  while (!from.atEnd) entries.push(readEntry(from, fields));
  return { channel, full, at, removed, entries };
}

function readEntry(from: Reader, fields: readonly StateField[]): StateEntry {
  const head = from.varint();
  const index = Math.floor(head / 2);
  const key = head % 2 === 1 ? from.text() : null;
  const ageMs = from.varint() * ageStepMs;
  const mask = from.varint();
  const bit = (i: number) => Math.floor(mask / 2 ** i) % 2 === 1;
  const values: Record<string, unknown> = {};
  fields.forEach((field, i) => {
    const special = bit(fields.length + i);
    if (bit(i)) values[field.name] = special ? null : readValue(from, field);
    else if (special) values[field.name] = undefined;
  });
  return { index, key, ageMs, fields: values };
}

function readValue(from: Reader, { kind, precision }: StateField): unknown {
  if (kind === "integer") return from.signed();
  if (kind === "steps") return fromSteps(from.signed(), precision);
  if (kind === "double") return from.f64();
  if (kind === "flag") return from.u8() === 1;
  return kind === "text" ? from.text() : (JSON.parse(from.text()) as unknown);
}

/** Without the noise of binary fractions: 3 steps of 0.1 are 0.3. */
function fromSteps(steps: number, precision: number): number {
  const inverse = 1 / precision;
  return Number.isInteger(Math.round(inverse * 1e6) / 1e6) && inverse >= 1 ? steps / Math.round(inverse) : steps * precision;
}

/** The entries of one channel on the receiver's side. */
export class StateTable {
  readonly #fields: readonly StateField[];
  readonly #keys = new Map<number, string>();
  readonly #values = new Map<string, { value: StateValue; at: number }>();

  constructor(fields: readonly StateField[]) {
    this.#fields = fields;
  }

  /** The present entries; `at` is when the value was reported, ms UTC by the server's clock. */
  get values(): ReadonlyMap<string, { readonly value: StateValue; readonly at: number }> {
    return this.#values;
  }

  /** Applies a frame and returns the keys that changed or were removed. */
  apply(bytes: Uint8Array): string[] {
    const frame = decodeStateFrame(this.#fields, bytes);
    const touched = new Set<string>();
    if (frame.full) {
      for (const key of this.#values.keys()) touched.add(key);
      this.#keys.clear();
      this.#values.clear();
    }
    for (const index of frame.removed) {
      const key = this.#keys.get(index);
      if (key === undefined) continue;
      this.#keys.delete(index);
      this.#values.delete(key);
      touched.add(key);
    }
    for (const entry of frame.entries) {
      if (entry.key !== null) this.#keys.set(entry.index, entry.key);
      const key = this.#keys.get(entry.index);
      if (key === undefined) continue;
      const value: Record<string, unknown> = { ...this.#values.get(key)?.value, ...entry.fields };
      for (const name of Object.keys(entry.fields)) if (entry.fields[name] === undefined) delete value[name];
      this.#values.set(key, { value, at: frame.at - entry.ageMs });
      touched.add(key);
    }
    return [...touched];
  }
}

const utf8Encoder = new TextEncoder();
/** A byte order mark at the beginning is part of the text. */
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #at = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  #room(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + size));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  u8(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  f64(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  varint(value: number): void {
    this.#room(8);
    let rest = Math.min(value, Number.MAX_SAFE_INTEGER);
    while (rest >= 128) {
      this.#bytes[this.#at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#at++] = rest;
  }

  signed(value: number): void {
    const kept = Math.max(-mostSigned, Math.min(mostSigned, value));
    this.varint(kept < 0 ? -kept * 2 - 1 : kept * 2);
  }

  text(value: string): void {
    const encoded = utf8Encoder.encode(value);
    this.varint(encoded.length);
    this.#room(encoded.length);
    this.#bytes.set(encoded, this.#at);
    this.#at += encoded.length;
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  u8(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new RangeError("state frame ends early");
    return value;
  }

  f64(): number {
    if (this.#at + 8 > this.#bytes.length) throw new RangeError("state frame ends early");
    const value = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 8).getFloat64(0, true);
    this.#at += 8;
    return value;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const byte = this.u8();
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError("state frame contains a number that is too long");
  }

  /** A number of items that each take at least one byte. */
  count(): number {
    const value = this.varint();
    if (value > this.#bytes.length) throw new RangeError("state frame ends early");
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(): string {
    const length = this.count();
    if (this.#at + length > this.#bytes.length) throw new RangeError("state frame ends early");
    const text = utf8Decoder.decode(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return text;
  }
}
