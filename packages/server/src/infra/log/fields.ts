const hidden = "[hidden]";
const sensitive =
  /^(?:.*(?:password|passphrase|secret|token|authorization|cookie|credential|apikey|api_key|privatekey)s?|dsn|set-cookie|sessionid)$/i;
/** Names that only sound sensitive: counts and fingerprints help operators and reveal nothing. */
const harmless = /(?:fingerprint|count|length|expires|expiresAt|type|id)$/i;
const maxDepth = 8;

interface FieldOptions {
  /** Stacks and statement shapes are for debug only. */
  readonly debug: boolean;
}

/** Names of the standard fields of a line. */
const reserved = new Set(["level", "time", "subsystem", "msg"]);

/** Converts logged fields to plain data of limited size without secrets. A field named like a standard field gets a trailing `_`. */
export function cleanFields(fields: object, options: FieldOptions): Record<string, unknown> {
  const cleaned = Object.entries(cleanObject(fields, options, new Set(), 0));
  return Object.fromEntries(cleaned.map(([key, value]) => [reserved.has(key) ? `${key}_` : key, value]));
}

function cleanObject(value: object, options: FieldOptions, seen: Set<object>, depth: number): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, inner]) => {
    const isSecret =
      sensitive.test(key) &&
      !harmless.test(key) &&
      inner !== null &&
      inner !== undefined &&
      typeof inner !== "boolean" &&
      typeof inner !== "number";
    return [key, isSecret ? hidden : clean(inner, options, seen, depth + 1)];
  });
  return Object.fromEntries(entries);
}

function clean(value: unknown, options: FieldOptions, seen: Set<object>, depth: number): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (seen.has(value)) return "[circular]";
  if (depth > maxDepth) return "[too deep]";
  seen.add(value);
  try {
    if (value instanceof Error) return cleanError(value, options, seen, depth);
    if (Array.isArray(value)) return value.map((item) => clean(item, options, seen, depth + 1));
    if (value instanceof Map) return cleanObject(Object.fromEntries(value), options, seen, depth);
    if (value instanceof Set) return [...value].map((item) => clean(item, options, seen, depth + 1));
    return cleanObject(value, options, seen, depth);
  } finally {
    seen.delete(value);
  }
}

/** Own properties of errors that would repeat or leak information. */
const dropped = new Set(["name", "message", "stack", "cause", "sql", "sqlMessage", "parameters"]);

function cleanError(error: Error, options: FieldOptions, seen: Set<object>, depth: number): Record<string, unknown> {
  const described: Record<string, unknown> = { type: error.name, message: error.message };
  const own = Object.fromEntries(
    Object.entries(error).filter(([key]) => !dropped.has(key) && (options.debug || key !== "statement")),
  );
  Object.assign(described, cleanObject(own, options, seen, depth));
  if (options.debug && error.stack !== undefined) described["stack"] = error.stack;
  if (error.cause !== undefined) described["cause"] = clean(error.cause, options, seen, depth + 1);
  return described;
}

/** The secrets of links and the tokens of accounts, as `readableCode` groups 32 bytes. */
const readableSecret = "(?:[0-9A-HJKMNP-TV-Z]{4}-){12}[0-9A-HJKMNP-TV-Z]{4}";

/** Replaces the given secret texts, and secrets of links, wherever they appear in a line. */
export function masker(secrets: readonly string[]): (line: string) => string {
  // Shorter ones would mask ordinary words.
  const texts = secrets.filter((secret) => secret.length >= 8).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const byLength = [...new Set(texts)].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(
    [readableSecret, ...byLength.map((text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"))].join("|"),
    "g",
  );
  return (line) => line.replace(pattern, hidden);
}
