import path from "node:path";
import type { BrokerUrl, Dsn } from "./dsn.ts";

interface CacheFolderOptions {
  readonly database: { readonly dsn: Dsn };
  readonly nats: { readonly url: BrokerUrl };
}

/**
 * Folder for data that one feature downloaded and can download again: next to the SQLite file, else
 * next to the embedded broker's file, else under ./data. It may be deleted at any time and needs no
 * backup.
 */
export function cacheFolder({ database, nats }: CacheFolderOptions, feature: string): string {
  if (database.dsn.kind === "sqlite") return path.join(`${database.dsn.file}.cache`, feature);
  const parent = nats.url.kind === "embedded" ? path.dirname(nats.url.file) : path.resolve("data");
  return path.join(parent, "rollcall.cache", feature);
}
