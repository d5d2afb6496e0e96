import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig, type LoadOptions } from "./load.ts";

export const soundSecrets = {
  cookie: "kc93-Vf0a-81Pz-qLw5-Xe7u",
  jwt: "Hq27-ynB4-5sTd-0RgM-w8Zc",
  sync: "u6Jx-93Eo-LkA1-f7Yv-2NbQ",
} as const;

/** A configuration without problems and warnings; `workingDirectory` creates its folders. */
export const soundConfig = `http:
  listen: 127.0.0.1:8080
  adminListen: 127.0.0.1:7070
  publicURL: https://rollcall.example.org
  origins: [https://rollcall.example.org]
  trustedProxies: []
  sessions:
    cookieSecret: ${soundSecrets.cookie}
    domain: rollcall.example.org
jwt:
  secret: ${soundSecrets.jwt}
database:
  dsn: sqlite:./data/rollcall.db
nats:
  url: "embedded:"
storage:
  filesystem:
    path: ./data/files
postalsFile: ./data/postals.json
icons:
  path: ./data/icons
auth:
  configAdminGroups: [admin]
chat:
  enabled: false
sync:
  enabled: true
  apiTokens: [${soundSecrets.sync}]
`;

/** An empty working directory with the folders of `soundConfig`. */
export function workingDirectory(config?: string): string {
  const directory = mkdtempSync(path.join(tmpdir(), "rollcall-config-"));
  for (const folder of ["data/files", "data/icons"]) mkdirSync(path.join(directory, folder), { recursive: true });
  writeFileSync(path.join(directory, "data/postals.json"), "[]");
  if (config !== undefined) writeFileSync(path.join(directory, "config.yaml"), config);
  return directory;
}

export function load(config: string, options: LoadOptions = {}) {
  return loadConfig({ cwd: workingDirectory(config), env: {}, systemDirectory: "/nonexistent", ...options });
}

/** Loads a configuration that must have no problems. */
export function loadSound(config: string, options: LoadOptions = {}) {
  const loaded = load(config, options);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, null, 2));
  return loaded;
}

/** Removes the marker `«` from a text and returns its line and column. */
export function marked(text: string): { config: string; at: string } {
  const lines = text.slice(0, text.indexOf("«")).split("\n");
  return { config: text.replace("«", ""), at: `${lines.length}:${lines.at(-1)!.length + 1}` };
}
