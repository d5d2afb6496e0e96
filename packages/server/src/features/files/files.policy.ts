import type { FileKind } from "./files.api.ts";
import type { FileType } from "./files.contract.ts";
import type { FileRecord, ReferenceRecord } from "./files.repo.ts";

/** Kind under which the names of files are in the search index. */
export const filesSearchKind = "files";

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + Math.min(at, bytes.length))
    .subarray(0, text.length)
    .toString("latin1") === text;

/** The last character of `head` may be incomplete. */
function isText(head: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    // oxlint-disable-next-line no-control-regex -- these characters distinguish binary data from text
    return text !== "" && !/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text);
  } catch {
    return false;
  }
}

/** The type by the first bytes, never by names or headers; null for unknown types. */
export function typeOf(head: Uint8Array): FileType | null {
  if (startsWith(head, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith(head, "\xff\xd8\xff")) return "image/jpeg";
  if (startsWith(head, "RIFF") && startsWith(head, "WEBP", 8)) return "image/webp";
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return "image/gif";
  if (startsWith(head, "%PDF-")) return "application/pdf";
  return isText(head) ? "text/plain" : null;
}

/** A name to display: without folders, control characters and characters that change the direction of writing. */
export function nameOf(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  // oxlint-disable-next-line no-control-regex -- these characters are removed
  const plain = last.replaceAll(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  return plain === "" ? "file" : Array.from(plain).slice(0, 200).join("");
}

const stepMs = 4 * 60 * 60_000;

/** When a signed URL created now expires. It is the same for four hours, so that browsers cache the file. */
export function addressEnd(now: number): number {
  return Math.floor(now / stepMs) * stepMs + 2 * stepMs;
}

/** Bytes per megabyte of the settings. */
export const megabyte = 1024 * 1024;

/** Most files and bytes that one account uploaded and nothing refers to: they are kept for a day. */
export const mostUnusedFiles = 50;
export const mostUnusedBytes = 250 * megabyte;

/** Whether an account with unused files of these sizes may store another one. A single file may have any size that its kind allows. */
export function hasRoom(sizes: readonly number[], bytes: number): boolean {
  const total = sizes.reduce((sum, size) => sum + size, bytes);
  return sizes.length < mostUnusedFiles && (sizes.length === 0 || total <= mostUnusedBytes);
}

/** The owner of a file that was uploaded for an object that does not exist yet. */
export const ownerless = "";

/**
 * Whether somebody who changes an owner may attach a file: `asCoAuthor` if they might have uploaded it for this
 * owner, `asViewer` if they may see one of the owners that have it.
 */
export type Attachability = "yes" | "asCoAuthor" | "asViewer" | "no";

/** `owners`: those that have the file already. */
export function attachability(
  file: Pick<FileRecord, "kind" | "owner" | "account_id">,
  owners: readonly string[],
  about: {
    readonly kind: { readonly kind: string } & Pick<FileKind, "copies">;
    readonly owner: string;
    readonly accountId: number;
  },
): Attachability {
  const { kind, owner, accountId } = about;
  if (file.kind !== kind.kind) return "no";
  if (owners.includes(owner)) return "yes";
  const own = file.account_id === accountId;
  if (own && (file.owner === owner || file.owner === ownerless)) return "yes";
  if (file.owner === owner) return "asCoAuthor";
  return kind.copies && owners.length > 0 ? "asViewer" : "no";
}

/** The owners that these references name, each once. */
export function ownersByKind(references: readonly ReferenceRecord[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { kind, owner } of references) found.set(kind, (found.get(kind) ?? new Set()).add(owner));
  return new Map([...found].map(([kind, owners]) => [kind, [...owners]]));
}
