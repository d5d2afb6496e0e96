import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig, type LoadOptions } from "./load.ts";

/** A configuration without problems and warnings; `workingDirectory` creates its folders. */
export const soundConfig = `http:
  listen: 127.0.0.1:8080
  adminListen: 127.0.0.1:7070
  publicURL: https://rollcall.example.org
  origins: [https://rollcall.example.org]
  trustedProxies: []
  sessions:
    cookieSecret: aaaaaaaaaaaaaaaaaaaaaaaa
    domain: rollcall.example.org
jwt:
  secret: bbbbbbbbbbbbbbbbbbbbbbbb
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
  apiTokens: [cccccccccccccccccccccccc]
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
