import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import {
  backupFormat,
  type BackedUpFile,
  type BackedUpTable,
  type BackupHeader,
  type BackupManifest,
  BackupRefused,
  entryNames,
} from "./format.ts";
import { LineSum, sameTable } from "./sums.ts";
import { type TarEntry, tarEntries } from "./tar.ts";

/** Receives the content of an archive while it is read. */
export interface BackupVisitor {
  begin?(header: BackupHeader): Promise<void>;
  rows?(table: BackedUpTable, lines: readonly string[]): Promise<void>;
  /** Must read all of `bytes`. */
  file?(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

async function* unpacked(file: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(file), gunzip);
  reading.catch(() => undefined);
  try {
    yield* gunzip;
    await reading;
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code.startsWith("Z_")) throw new BackupRefused(`${file} is damaged, cut off, or not a backup (${message})`);
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR") throw new BackupRefused(`cannot read ${file} (${code})`);
    throw error;
  } finally {
    gunzip.destroy();
  }
}

async function content(entry: TarEntry): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of entry.bytes()) chunks.push(bytes);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed<T>(text: string, name: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new BackupRefused(`the archive is damaged: ${name} is not JSON`);
  }
}

function checkedHeader(header: BackupHeader): BackupHeader {
  if (!Number.isInteger(header.format) || !Array.isArray(header.tables))
    throw new BackupRefused("this is not a backup of Rollcall");
  if (header.format > backupFormat)
    throw new BackupRefused(
      `the backup was made by Rollcall ${header.program}, which is newer; install that version or a later one`,
    );
  return header;
}

const linesIn = (text: string) => text.split("\n").filter((line) => line !== "");

/** Counts and checksums of an archive while it is read. */
class Tally {
  readonly #tables = new Map<string, LineSum>();
  readonly #files = new LineSum();
  readonly #seen = new Map<string, BackedUpFile>();
  #bytes = 0;

  rows(table: string, lines: readonly string[]): void {
    const sum = this.#tables.get(table) ?? new LineSum();
    this.#tables.set(table, sum);
    for (const line of lines) sum.add(line);
  }

  file(file: BackedUpFile): void {
    this.#seen.set(file.key, file);
    this.#bytes += file.size;
  }

  index(lines: readonly string[]): void {
    for (const line of lines) {
      const { key, size, sha256 } = parsed<BackedUpFile>(line, "the index of files");
      const seen = this.#seen.get(key);
      if (seen?.size !== size || seen.sha256 !== sha256)
        throw new BackupRefused(`the archive is damaged: the file ${key} differs from what was written`);
      this.#seen.delete(key);
      this.#files.add(line);
    }
  }

  compare(header: BackupHeader, manifest: BackupManifest): void {
    for (const { name } of header.tables) {
      const found = (this.#tables.get(name) ?? new LineSum()).ofTable();
      const wanted = manifest.tables[name];
      if (!sameTable(wanted, found))
        throw new BackupRefused(
          `the archive is damaged: ${name} has ${found.rows} rows that differ from the ${wanted?.rows} written`,
        );
    }
    const files = this.#files.ofFiles(this.#bytes);
    const { count, bytes, sum } = manifest.files;
    if (this.#seen.size > 0 || files.count !== count || files.bytes !== bytes || files.sum !== sum)
      throw new BackupRefused(`the archive is damaged: it has ${files.count} files that differ from the ${count} written`);
  }
}

async function readFile(entry: TarEntry, visitor: BackupVisitor, tally: Tally): Promise<void> {
  const key = entry.name.slice(entryNames.file("").length);
  const hash = createHash("sha256");
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of entry.bytes()) {
      hash.update(part);
      yield part;
    }
  };
  if (visitor.file) await visitor.file(key, bytes());
  else for await (const _part of bytes());
  tally.file({ key, size: entry.size, sha256: hash.digest("hex") });
}

/**
 * Reads a whole archive and verifies the counts and checksums of every table and file. Throws
 * `BackupRefused`; the visitor then has to undo what it did.
 */
export async function readBackup(
  file: string,
  visitor: BackupVisitor = {},
): Promise<{ readonly header: BackupHeader; readonly manifest: BackupManifest }> {
  const tally = new Tally();
  let header: BackupHeader | null = null;
  let manifest: BackupManifest | null = null;
  for await (const entry of tarEntries(unpacked(file))) {
    const { name } = entry;
    if (header === null) {
      if (name !== entryNames.header) throw new BackupRefused(`${file} is not a backup of Rollcall`);
      header = checkedHeader(parsed<BackupHeader>(await content(entry), name));
      await visitor.begin?.(header);
    } else if (name.startsWith("tables/")) {
      const table = header.tables.find((one) => one.name === name.split("/")[1]);
      if (!table) throw new BackupRefused(`the archive is damaged: ${name} belongs to no table in its header`);
      const lines = linesIn(await content(entry));
      tally.rows(table.name, lines);
      await visitor.rows?.(table, lines);
    } else if (name.startsWith(entryNames.file(""))) await readFile(entry, visitor, tally);
    else if (name === entryNames.manifest) manifest = parsed<BackupManifest>(await content(entry), name);
    else tally.index(linesIn(await content(entry)));
  }
  if (header === null) throw new BackupRefused(`${file} is not a backup of Rollcall`);
  if (manifest === null) throw new BackupRefused(`${file} is cut off: manifest.json is missing at its end`);
  tally.compare(header, manifest);
  return { header, manifest };
}

const enough = Symbol("enough");

/** Reads only the header. */
export async function readHeader(file: string): Promise<BackupHeader> {
  let found: BackupHeader | null = null;
  try {
    await readBackup(file, {
      async begin(header) {
        found = header;
        throw enough;
      },
    });
  } catch (error) {
    if (error !== enough) throw error;
  }
  return found!;
}
