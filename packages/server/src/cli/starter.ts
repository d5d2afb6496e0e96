import { copyFileSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Ids } from "#core/ports/clock.ts";

export interface StarterOptions {
  readonly ids: Pick<Ids, "secret">;
  /** Replaces an existing file, which is kept under another name. */
  readonly force?: boolean;
  /** IANA zone of calendar days; the machine's by default. */
  readonly zone?: string;
}

export interface Starter {
  readonly file: string;
  /** The URL for signing in. */
  readonly address: string;
  /** The path of the replaced file's copy. */
  readonly keptAs: string | null;
}

/** The starter file would replace an existing one. */
export class StarterExists extends Error {
  override name = "StarterExists";
}

const address = "http://localhost:8080";

/** The volume of the container image, and its folder for the configuration. */
const imageFolders = ["/data", "/config"];

/**
 * The paths of database and uploads for a configuration in `directory`: uploads in a separate folder next
 * to the database, in the container image on its volume.
 */
export function starterPaths(directory: string): { readonly data: string; readonly database: string; readonly files: string } {
  const inImage = imageFolders.includes(path.resolve(directory));
  const data = inImage ? "/data" : "./data";
  return { data: path.resolve(directory, data), database: `sqlite:${data}/rollcall.db`, files: `${data}/files` };
}

/**
 * Writes `config.yaml` for one machine: generated secrets, SQLite, the embedded broker and uploads
 * under ./data, which it creates (see `starterPaths`). Only this user can read the file. Throws `StarterExists`.
 */
export function writeStarterConfig(directory: string, options: StarterOptions): Starter {
  const file = path.join(directory, "config.yaml");
  const exists = existsSync(file);
  if (exists && options.force !== true) throw new StarterExists(`${file} exists`);
  const paths = starterPaths(directory);
  mkdirSync(path.join(paths.data, "files"), { recursive: true, mode: 0o700 });
  const keptAs = exists ? keep(file) : null;
  const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const unfinished = `${file}.${options.ids.secret(6)}.tmp`;
  writeFileSync(
    unfinished,
    starterText(() => options.ids.secret(32), zone || "UTC", paths),
    { mode: 0o600, flag: "wx" },
  );
  try {
    // Fails when another run has just written it.
    if (exists) renameSync(unfinished, file);
    else copyFileSync(unfinished, file, constants.COPYFILE_EXCL);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return { file, address, keptAs };
}

function keep(file: string): string {
  let n = 1;
  while (existsSync(`${file}.${n}.bak`)) n++;
  copyFileSync(file, `${file}.${n}.bak`, constants.COPYFILE_EXCL);
  return `${file}.${n}.bak`;
}

function starterText(secret: () => string, zone: string, paths: ReturnType<typeof starterPaths>): string {
  return `# Rollcall: a starter configuration for this machine. Every option is described in
# config.example.yaml and docs/operate/config.md. Keep this file secret.

# Protects stored secrets. After a change of it: rollcall secret rotate.
secret: "${secret()}"

jwt:
  secret: "${secret()}"

http:
  listen: 127.0.0.1:8080
  adminListen: 127.0.0.1:7070
  # Open the application at exactly this address: its cookie is not kept on 127.0.0.1.
  publicURL: ${address}
  origins: [${address}]
  trustedProxies: []
  sessions:
    cookieSecret: "${secret()}"
    domain: localhost

database:
  dsn: "${paths.database}?loc=${encodeURIComponent(zone)}"

nats:
  url: "embedded:"

storage:
  filesystem:
    path: ${paths.files}

auth:
  # Accounts in one of these groups are config admin.
  configAdminGroups: [admin]

chat:
  enabled: false

# The game server sends its data with one of these tokens.
sync:
  enabled: true
  apiTokens:
    - "${secret()}"
`;
}
