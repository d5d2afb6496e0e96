import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const listenState = "0A";

/** TCP ports on which a process listens, in ascending order, as the kernel reports them. */
export function listeningPorts(pid: number): number[] {
  const inodes = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // A descriptor may close during the reading.
    }
  }
  const lines = ["tcp", "tcp6"].flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, "utf8").split("\n").slice(1));
  const ports = lines.flatMap((line) => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return state === listenState && inodes.has(inode) ? [Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16)] : [];
  });
  return [...new Set(ports)].toSorted((a, b) => a - b);
}

/** Reads the database file of a running program with a connection of its own. */
export function sqliteRows(file: string, statement: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

/** Addresses of refused sign-ins in the audit log. */
export function auditAddresses(file: string): unknown[] {
  return sqliteRows(
    file,
    "select distinct address from audit_entries where action = 'auth.login' and result = 'denied' order by address",
  ).map(({ address }) => address);
}
