import { copyFileSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Ids } from "#core/ports/clock.ts";

export interface StarterOptions {
  readonly ids: Pick<Ids, "secret">;
  /** Replaces an existing file, which is kept under another name. */
  readonly force?: boolean;
  /** IANA zone of calendar days; the machine's own when left out. */
  readonly zone?: string;
}

export interface Starter {
  readonly file: string;
  /** The address at which a login works. */
  readonly address: string;
  /** Where the replaced file was kept. */
  readonly keptAs: string | null;
}

/** The starter file would replace one that exists. */
export class StarterExists extends Error {
  override name = "StarterExists";
}

const address = "http://localhost:8080";

/**
 * Writes `config.yaml` for one machine: generated secrets, SQLite, the embedded broker and uploads
 * under ./data, which it creates. Only this user can read the file. Throws `StarterExists`.
 */
export function writeStarterConfig(directory: string, options: StarterOptions): Starter {
  const file = path.join(directory, "config.yaml");
  const exists = existsSync(file);
  if (exists && options.force !== true) throw new StarterExists(`${file} exists`);
  mkdirSync(path.join(directory, "data", "files"), { recursive: true, mode: 0o700 });
  const keptAs = exists ? keep(file) : null;
  const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const unfinished = `${file}.${options.ids.secret(6)}.tmp`;
  writeFileSync(
    unfinished,
    starterText(() => options.ids.secret(32), zone || "UTC"),
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

function starterText(secret: () => string, zone: string): string {
  return `# Rollcall: a starter configuration for this machine. Every option is described in
# config.example.yaml and docs/operate/config.md. Keep this file secret.

# Protects stored secrets. Never change it once data is stored.
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
  dsn: "sqlite:./data/rollcall.db?loc=${encodeURIComponent(zone)}"

nats:
  url: "embedded:"

storage:
  filesystem:
    path: ./data/files

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
