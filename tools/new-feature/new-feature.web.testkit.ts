import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { change } from "./new-feature.testkit.ts";

const card = `import { Link } from "@tanstack/react-router";
import { listLedgers } from "@rollcall/server/contract/ledgers";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useSeenQuery } from "#core/seen.ts";
import { Plot } from "#ui/plots/plot.tsx";
import { byCreator } from "./creators.plot.ts";
import { useLedgers } from "./ledgers.queries.ts";

/** The newest entry, and who wrote the last ones; nothing while there is none. */
export default function LedgersCard() {
  const { t } = useText();
  const [newest] = useLedgers({}).rows;
  const answer = useSeenQuery(queryOf(listLedgers, { query: { limit: 200 } }));
  if (!newest) return null;
  return (
    <section>
      <h2>{t("ledgers.newest")}</h2>
      <Link to={\`/ledgers/\${newest.id}\`}>{newest.title}</Link>
      <Plot of={byCreator} answer={answer} />
    </section>
  );
}
`;

const plot = `import type { OutputOf } from "@rollcall/server/contract/core";
import type { listLedgers } from "@rollcall/server/contract/ledgers";
import { definePlot } from "#ui/plots/plot.types.ts";

type Ledgers = OutputOf<typeof listLedgers>;

const byName = ({ items }: Ledgers) => Map.groupBy(items, ({ creator }) => creator?.name ?? "");

/** How many entries each creator wrote. */
export const byCreator = definePlot<Ledgers>({
  kind: "bars",
  title: "ledgers.plot.title",
  empty: "ledgers.plot.empty",
  unit: "count",
  x: { names: (data) => [...byName(data).keys()] },
  series: (data, t) => [{ label: t("ledgers.plot.entries"), values: [...byName(data).values()].map(({ length }) => length) }],
});
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
  shortcuts: [{ keys: "g x", label: "ledgers.keys.open", run: ({ go }) => go("/ledgers") }],
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
    plot: { title: "Entries by creator", empty: "No entries yet", entries: "Entries" },
    commands: { open: "Open the ledgers", find: "Find fines in the ledgers" },
    keys: { open: "Open the ledgers" },
  },
  de: {
    newest: "Neuester Eintrag",
    written: "Einträge dieses Bürgers",
    plot: { title: "Einträge nach Person", empty: "Noch keine Einträge", entries: "Einträge" },
    commands: { open: "Einträge öffnen", find: "Bußgelder in den Einträgen suchen" },
    keys: { open: "Einträge öffnen" },
  },
};

/** Adds what a feature may declare in the browser: a card with a plot, a section of a profile, two commands and a shortcut. */
export function addWebParts(folder: string): void {
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file("card.tsx"), card);
  writeFileSync(file("creators.plot.ts"), plot);
  writeFileSync(file("section.tsx"), section);
  change(file("ledgers.pages.tsx"), [
    ["  navigation: [", declarations],
    ["import { ledgersSearch }", 'import { part } from "#core/part.ts";\nimport { ledgersSearch }'],
  ]);
  for (const [language, more] of Object.entries(texts)) {
    const name = file(`ledgers.text.${language}.json`);
    const known = JSON.parse(readFileSync(name, "utf8")) as object;
    writeFileSync(name, `${JSON.stringify({ ...known, ...more }, null, 2)}\n`);
  }
}
