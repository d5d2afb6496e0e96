import type { ReceivedSpan } from "./spans.testkit.ts";

/** Fields of one protobuf message by number: bytes of nested ones, or numbers. */
type Fields = Map<number, (Buffer | bigint)[]>;

function varint(bytes: Buffer, from: number): [value: bigint, next: number] {
  let value = 0n;
  for (let i = from, shift = 0n; ; i += 1, shift += 7n) {
    const byte = bytes[i]!;
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [value, i + 1];
  }
}

function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  while (at < bytes.length) {
    const [tag, after] = varint(bytes, at);
    const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
    let value: Buffer | bigint;
    if (wire === 0) [value, at] = varint(bytes, after);
    else if (wire === 1) [value, at] = [bytes.readBigUInt64LE(after), after + 8];
    else if (wire === 5) [value, at] = [BigInt(bytes.readUInt32LE(after)), after + 4];
    else {
      const [length, start] = varint(bytes, after);
      at = start + Number(length);
      value = bytes.subarray(start, at);
    }
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const nested = (fields: Fields, number: number) => (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
const bytesOf = (fields: Fields, number: number) => (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const numberOf = (fields: Fields, number: number) => Number(fields.get(number)?.[0] ?? 0n);

function valueOf(any: Fields | undefined): string | number | boolean {
  if (any === undefined) return "";
  if (any.has(1)) return bytesOf(any, 1).toString();
  if (any.has(2)) return numberOf(any, 2) === 1;
  if (any.has(3)) return numberOf(any, 3);
  const double = Buffer.alloc(8);
  double.writeBigUInt64LE((any.get(4)?.[0] as bigint | undefined) ?? 0n);
  return double.readDoubleLE();
}

const attributesOf = (owner: Fields, number: number) =>
  Object.fromEntries(nested(owner, number).map((pair) => [bytesOf(pair, 1).toString(), valueOf(nested(pair, 2)[0])]));

/** An `ExportTraceServiceRequest`. */
export function decodeTraces(message: Buffer): ReceivedSpan[] {
  return nested(fieldsOf(message), 1).flatMap((resourceSpans) => {
    const [resource = new Map() as Fields] = nested(resourceSpans, 1);
    const spans = nested(resourceSpans, 2).flatMap((scopeSpans) => nested(scopeSpans, 2));
    return spans.map((span) => ({
      name: bytesOf(span, 5).toString(),
      kind: numberOf(span, 6),
      traceId: bytesOf(span, 1).toString("hex"),
      spanId: bytesOf(span, 2).toString("hex"),
      parentSpanId: bytesOf(span, 4).toString("hex"),
      startMs: numberOf(span, 7) / 1e6,
      endMs: numberOf(span, 8) / 1e6,
      failed: nested(span, 15).some((status) => numberOf(status, 3) === 2),
      attributes: attributesOf(span, 9),
      resource: attributesOf(resource, 1),
    }));
  });
}
