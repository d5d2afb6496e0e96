import path from "node:path";
import type { BrokerUrl, Dsn } from "./dsn.ts";

interface Places {
  readonly database: { readonly dsn: Dsn };
  readonly nats: { readonly url: BrokerUrl };
}

/**
 * Folder of what one feature fetched from elsewhere and may fetch again: beside the SQLite file, else
 * beside the embedded broker's file, else under ./data. It may be deleted at any time and needs no
 * backup.
 */
export function cacheFolder({ database, nats }: Places, feature: string): string {
  if (database.dsn.kind === "sqlite") return path.join(`${database.dsn.file}.cache`, feature);
  const beside = nats.url.kind === "embedded" ? path.dirname(nats.url.file) : path.resolve("data");
  return path.join(beside, "rollcall.cache", feature);
}
