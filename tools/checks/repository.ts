import { readFile } from "node:fs/promises";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

export async function readRepositoryFile(file: string): Promise<string> {
  return await readFile(path.join(root, file), "utf8");
}
