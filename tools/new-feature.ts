import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const [name = ""] = process.argv.slice(2);

function fail(message: string): never {
  process.stderr.write(`new-feature: ${message}\n`);
  process.exit(2);
}

if (!/^[a-z][a-z0-9]{1,30}$/.test(name)) fail("pass one word in lower case: npm run new-feature -- documents");
const folder = path.join(root, "packages", "server", "src", "features", name);
if (existsSync(folder)) fail(`${name} exists`);
const Name = name.charAt(0).toUpperCase() + name.slice(1);
const singular = name.replace(/s$/, "");

function stamp(): string {
  const now = new Date();
  const two = (n: number) => String(n).padStart(2, "0");
  return `${now.getUTCFullYear()}${two(now.getUTCMonth() + 1)}${two(now.getUTCDate())}${two(now.getUTCHours())}${two(now.getUTCMinutes())}`;
}

const columns = `    id: col.id(),
    title: col.text(100),
    version: col.int(),
    created_at: col.int(),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),`;

const table = (exported: string) => `${exported}const ${name} = defineTable(
  "${name}",
  {
${columns}
  },
  { primary: ["id"], indexes: { ${name}_list: ["deleted_at", "title", "id"] } },
);
`;

const files: Record<string, string> = {
  [`${folder}/${name}.contract.ts`]: `import { Type } from "typebox";
import { access, defineErrors, defineOperation, definePermission, PageOf, pageQuery, Version } from "#core/contract/index.ts";

export const ${name}Permissions = { list: definePermission("${name}.list") };

export const ${name}Errors = defineErrors("${name}", { notFound: { status: 404 } });

export const ${Name}Row = Type.Object({ id: Type.Integer({ minimum: 1 }), version: Version, title: Type.String() });

export const list${Name} = defineOperation({
  id: "${name}.list",
  method: "GET",
  path: "/api/${name}",
  summary: "List ${name}",
  access: access.permission(${name}Permissions.list),
  rate: "read",
  input: { query: Type.Object({ ...pageQuery }) },
  output: PageOf(${Name}Row),
  example: { output: { items: [{ id: 1, version: 1, title: "First" }], next: null, total: 1, totalCapped: false } },
});

export const ${name}Contract = {
  operations: [list${Name}],
  errors: ${name}Errors,
  permissions: Object.values(${name}Permissions),
};
`,
  [`${folder}/${name}.schema.ts`]: `import { col, defineTable, type TableOf } from "#core/db/index.ts";

${table("export ")}
export interface ${Name}Tables {
  ${name}: TableOf<typeof ${name}>;
}
`,
  [`${folder}/${name}.repo.ts`]: `import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ${Name}Tables } from "./${name}.schema.ts";

export interface ${Name}Source {
  readonly id: number;
  readonly version: number;
  readonly title: string;
}

/** Live rows after the id \`after\`, in the order of their ids. */
export async function listRows(tx: Tx, after: number, limit: number): Promise<${Name}Source[]> {
  return await queries<${Name}Tables>(tx)
    .selectFrom("${name}")
    .select(["id", "version", "title"])
    .where("deleted_at", "is", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The number of rows, counted up to \`cap\`. */
export async function countRows(tx: Tx, cap: number): Promise<number> {
  const inner = queries<${Name}Tables>(tx).selectFrom("${name}").select("id").where("deleted_at", "is", null).limit(cap);
  const row = await queries<${Name}Tables>(tx)
    .selectFrom(inner.as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}
`,
  [`${folder}/${name}.service.ts`]: `import type { Page } from "#core/contract/index.ts";
import type { Database } from "#core/ports/index.ts";
import { countRows, listRows, type ${Name}Source } from "./${name}.repo.ts";

const mostCounted = 1000;

export class ${Name}Service {
  readonly #db: Database;

  constructor(deps: { readonly db: Database }) {
    this.#db = deps.db;
  }

  async list(query: { cursor?: string; limit?: number }): Promise<Page<${Name}Source>> {
    const limit = query.limit ?? 50;
    return await this.#db.read("${name}.list", async (tx) => {
      const rows = await listRows(tx, Number(query.cursor ?? 0) || 0, limit + 1);
      const items = rows.slice(0, limit);
      const total = await countRows(tx, mostCounted + 1);
      return {
        items,
        next: rows.length > limit ? String(items.at(-1)?.id) : null,
        total: Math.min(total, mostCounted),
        totalCapped: total > mostCounted,
      };
    });
  }
}
`,
  [`${folder}/${name}.routes.ts`]: `import { bind, type Binding } from "#core/feature.ts";
import { list${Name} } from "./${name}.contract.ts";
import type { ${Name}Service } from "./${name}.service.ts";

export function ${name}Routes(service: ${Name}Service): Binding[] {
  return [bind(list${Name}, async (_call, { query }) => await service.list(query))];
}
`,
  [`${folder}/${name}.feature.ts`]: `import { defineFeature } from "#core/feature.ts";
import { ${name}Contract } from "./${name}.contract.ts";
import { ${name}Routes } from "./${name}.routes.ts";
import { ${name} } from "./${name}.schema.ts";
import { ${Name}Service } from "./${name}.service.ts";

export const ${name}Feature = defineFeature({
  name: "${name}",
  about: "Say here what a ${singular} is.",
  needs: [],
  contract: ${name}Contract,
  tables: [${name}],
  create: (context) => ({ routes: ${name}Routes(new ${Name}Service(context)) }),
});
`,
  [`${folder}/${name}.text.en.json`]: `${JSON.stringify({ name: Name, permissions: { list: `List ${name}` }, errors: { notFound: `There is no such ${singular}.` } }, null, 2)}\n`,
  [`${folder}/${name}.text.de.json`]: `${JSON.stringify({ name: Name, permissions: { list: `${Name} auflisten` }, errors: { notFound: `Das gibt es nicht.` } }, null, 2)}\n`,
  [`${root}/packages/server/src/infra/db/migrations/${stamp()}_${name}_tables.ts`]: `import { col, defineTable, migration } from "./kit.ts";

${table("")}
export default migration(async (steps) => {
  await steps.createTable(${name});
});
`,
};

mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
process.stdout.write(
  `${Object.keys(files)
    .map((file) => path.relative(root, file))
    .join("\n")}\nnow write what it is into about of its manifest, and run npm run generate\n`,
);
