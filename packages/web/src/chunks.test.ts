import { expect, test } from "vitest";
import { chunkNames } from "../vite/chunks.ts";

const mantine = "/node_modules/@mantine/core/esm/index.mjs";
const button = "/node_modules/@mantine/core/esm/components/Button/Button.mjs";
const modal = "/node_modules/@mantine/core/esm/components/Modal/Modal.mjs";
const modules: Record<string, { code: string; importedIds: string[] }> = {
  "/web/src/main.tsx": {
    code: 'import { Button as B } from "@mantine/core"; import "./clock.ts";',
    importedIds: [mantine, "/web/src/clock.ts"],
  },
  "/web/src/clock.ts": { code: "", importedIds: [] },
  "/web/src/application.tsx": {
    code: 'import { Button, Modal } from "@mantine/core"; import "./clock.ts"; import "./frame.ts"',
    importedIds: [mantine, "/web/src/clock.ts", "/web/src/frame.ts"],
  },
  [mantine]: {
    code: "export { Button } from './components/Button/Button.mjs';\nexport { Modal } from './components/Modal/Modal.mjs';",
    importedIds: [button, modal],
  },
};
const context = { getModuleInfo: (id: string) => modules[id] ?? null };

test.each([
  ["/web/src/main.tsx", "first"],
  ["/web/src/clock.ts", "first"],
  ["/web/src/frame.ts", "frame"],
  [button, "first"],
  [modal, "frame"],
  ["/web/src/features/citizens/citizens.tsx", null],
])("%s is in the chunk %s", (id, name) => expect(chunkNames("/web/")(id, context)).toBe(name));
