import { posix } from "node:path";

/** The part of the bundler's chunking context that is used here. */
interface ModuleInfo {
  readonly code: string | null;
  readonly importedIds: readonly string[];
}
interface Context {
  getModuleInfo(id: string): ModuleInfo | null;
}

/**
 * What is loaded together, from the first page outwards: each module is in the chunk of the first row whose sources
 * import it. Without this, every module that two pages share is a chunk and a request of its own.
 */
const LAYERS: readonly { readonly name: string; readonly roots: readonly string[] }[] = [
  { name: "first", roots: ["/src/main.tsx"] },
  { name: "frame", roots: ["/src/application.tsx", "/src/core/accountPreferences.ts"] },
  {
    name: "lists",
    roots: [
      ...["records.tsx", "split.tsx", "detailStates.tsx", "guard.tsx", "copyRows.ts"].map((file) => `/src/ui/${file}`),
      ...["/src/core/order.ts", "/src/features/exports/exportButton.tsx"],
    ],
  },
  { name: "choices", roots: ["/src/ui/selectField.tsx"] },
  { name: "panels", roots: ["/src/ui/panel.tsx"] },
  // What the list of citizens shares with the pages that show a few of them.
  { name: "people", roots: ["columns.tsx", "citizens.queries.ts"].map((file) => `/src/features/citizens/${file}`) },
  // What the page of duty shares with the home page, the profile, places and the panel of the top bar.
  { name: "onDuty", roots: ["own.tsx", "state.tsx", "duty.queries.ts"].map((file) => `/src/features/duty/${file}`) },
];

/** Packages and contracts whose index leads to all of their modules; of them only the names that a source imports count. */
const INDEX =
  /\/node_modules\/(?:@mantine\/(?:core|hooks)|@tabler\/icons-react)\/.*\/(?:index|tabler-icons-react)\.m?js$|\/packages\/server\/src\/features\/.+\.contract\.ts$/;

/** The file behind each name that an index exports. */
export function exportsOf(id: string, code: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (names: string, file: string) => {
    for (const one of names.split(",")) {
      const name = one
        .split(/\sas\s/)
        .at(-1)!
        .trim();
      if (name !== "") found.set(name, posix.join(posix.dirname(id), file));
    }
  };
  for (const [, names, file] of code.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*["'](\.[^"']+)["']/g)) add(names!, file!);
  return found;
}

function namesOf(code: string): string[] {
  const lists = [
    ...code.matchAll(
      /import\s*(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*["']@(?:mantine|tabler|rollcall\/server\/contract)\/[^"']*["']/g,
    ),
  ];
  return lists.flatMap(([, names]) => names!.split(",").map((one) => one.split(/\sas\s/)[0]!.trim()));
}

/** All modules that these import, and they themselves. */
function closureOf(roots: readonly string[], context: Context): ReadonlySet<string> {
  const found = new Set(roots);
  for (const id of found) {
    const info = context.getModuleInfo(id);
    if (!info) continue;
    for (const target of info.importedIds) {
      if (!INDEX.test(target)) {
        found.add(target);
        continue;
      }
      const exported = exportsOf(target, context.getModuleInfo(target)?.code ?? "");
      for (const name of namesOf(info.code ?? "")) {
        const file = exported.get(name);
        if (file !== undefined) found.add(file);
      }
    }
  }
  return found;
}

/**
 * One group for each layer, the first with the highest priority: a group takes along what its modules import, unless an
 * earlier one has it.
 */
export function chunkGroups(root: string) {
  const nameOf = chunkNames(root);
  return LAYERS.map(({ name }, index) => ({
    debugName: name,
    name: (id: string, context: Context) => (nameOf(id, context) === name ? name : null),
    priority: LAYERS.length - index,
  }));
}

/** The chunk of a module, or null where the bundler decides. */
export function chunkNames(root: string): (id: string, context: Context) => string | null {
  let layers: readonly { readonly name: string; readonly modules: ReadonlySet<string> }[] | null = null;
  return (id, context) => {
    layers ??= LAYERS.map(({ name, roots }) => ({
      name,
      modules: closureOf(
        roots.map((file) => root.replace(/\/$/, "") + file),
        context,
      ),
    }));
    return layers.find(({ modules }) => modules.has(id))?.name ?? null;
  };
}
