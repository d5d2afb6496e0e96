import mysql from "mysql2";
import { bindable } from "../../failure.ts";

function literal(value: unknown): string {
  const bound = bindable(value);
  if (bound === null) return "NULL";
  if (typeof bound === "number") return String(bound);
  if (typeof bound === "string") return mysql.escape(bound);
  return `x'${Buffer.from(bound.buffer, bound.byteOffset, bound.byteLength).toString("hex")}'`;
}

/**
 * Inserts the values into the statement. Requires backslash escapes (enabled by the session's sql_mode)
 * and one question mark per value, and none elsewhere.
 */
export function formatStatement(sql: string, params: readonly unknown[]): string {
  const parts = sql.split("?");
  if (parts.length !== params.length + 1) {
    throw new TypeError(
      `the statement has ${parts.length - 1} question marks for ${params.length} values: bind texts that contain one`,
    );
  }
  let text = parts[0]!;
  for (let at = 0; at < params.length; at++) text += literal(params[at]) + parts[at + 1]!;
  return text;
}
