import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const card = `import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { useLedgers } from "./ledgers.queries.ts";

/** The newest entry; nothing while there is none. */
export default function LedgersCard() {
  const { t } = useText();
  const [newest] = useLedgers({}).rows;
  if (!newest) return null;
  return (
    <section>
      <h2>{t("ledgers.newest")}</h2>
      <Link to={\`/ledgers/\${newest.id}\`}>{newest.title}</Link>
    </section>
  );
}
`;

const section = `import { useText } from "#core/i18n.ts";
import { Section } from "#ui/small.tsx";
import { useLedgers } from "./ledgers.queries.ts";

/** The entries that a citizen wrote. */
export default function LedgersOf({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const own = useLedgers({}).rows.filter(({ creator }) => creator?.id === citizenId);
  return (
    <Section title={t("ledgers.written")} count={own.length}>
      {own.map(({ id, title }) => (
        <p key={id}>{title}</p>
      ))}
    </Section>
  );
}
`;

const declarations = `  commands: [
    {
      id: "ledgers.open",
      label: "ledgers.commands.open",
      icon: IconFileText,
      needs: ledgersPermissions.list.id,
      run: ({ go }) => go("/ledgers"),
    },
    {
      id: "ledgers.find",
      label: "ledgers.commands.find",
      icon: IconFileText,
      needs: ledgersPermissions.list.id,
      run: ({ go }) => go("/ledgers?q=fine"),
    },
  ],
  shortcuts: [{ keys: "g l", label: "ledgers.keys.open", run: ({ go }) => go("/ledgers") }],
  home: [
    {
      id: "ledgers.newest",
      for: ["member"],
      urgency: 30,
      needs: ledgersPermissions.list.id,
      card: part(["ledgers"], () => import("./card.tsx")),
    },
  ],
  profile: [
    {
      id: "ledgers.written",
      position: 70,
      needs: ledgersPermissions.list.id,
      section: part(["ledgers"], () => import("./section.tsx")),
    },
  ],
  navigation: [`;

const texts: Readonly<Record<string, object>> = {
  en: {
    newest: "Newest entry",
    written: "Entries by this citizen",
    commands: { open: "Open the ledgers", find: "Find fines in the ledgers" },
    keys: { open: "Open the ledgers" },
  },
  de: {
    newest: "Neuester Eintrag",
    written: "Einträge dieses Bürgers",
    commands: { open: "Einträge öffnen", find: "Bußgelder in den Einträgen suchen" },
    keys: { open: "Einträge öffnen" },
  },
};

/** Adds what a feature may declare in the browser: a card, a section of a profile, two commands and a shortcut. */
export function addWebParts(folder: string): void {
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file("card.tsx"), card);
  writeFileSync(file("section.tsx"), section);
  const pages = readFileSync(file("ledgers.pages.tsx"), "utf8");
  const added = pages
    .replace("  navigation: [", declarations)
    .replace("import { ledgersSearch }", 'import { part } from "#core/part.ts";\nimport { ledgersSearch }');
  writeFileSync(file("ledgers.pages.tsx"), added);
  for (const [language, more] of Object.entries(texts)) {
    const name = file(`ledgers.text.${language}.json`);
    const known = JSON.parse(readFileSync(name, "utf8")) as object;
    writeFileSync(name, `${JSON.stringify({ ...known, ...more }, null, 2)}\n`);
  }
}
