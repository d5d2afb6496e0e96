import type { EventMessage } from "#core/ports/index.ts";

/** The stream that carries every event, and the subject of one: `events.<feature>.<name>`. */
export const eventStream = {
  name: "EVENTS",
  subjects: ["events.>"],
  maxAgeMs: 3 * 24 * 3_600_000,
  maxBytes: 1024 * 1024 * 1024,
  /** Longer than any pause of a relay between publishing a row and marking it as sent. */
  duplicateWindowMs: 10 * 60_000,
} as const;

export function subjectOf(type: string): string {
  return `events.${type}`;
}

export function encodeEvent(message: EventMessage): Uint8Array {
  const { eventId, type, schemaVersion, key, version, at, payload, trace } = message;
  return Buffer.from(JSON.stringify({ eventId, type, schemaVersion, key, version, at, payload, trace }));
}

export class UnreadableEvent extends Error {
  override name = "UnreadableEvent";
}

export function decodeEvent(data: Uint8Array): EventMessage {
  try {
    const message = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) as EventMessage;
    if (typeof message.eventId === "string" && typeof message.type === "string") return message;
  } catch (error) {
    throw new UnreadableEvent("an event in the stream is not JSON", { cause: error });
  }
  throw new UnreadableEvent("an event in the stream has no id or type");
}
