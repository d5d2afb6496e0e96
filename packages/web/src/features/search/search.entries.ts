import { IconClock } from "@tabler/icons-react";
import type { Translate } from "#core/i18n.ts";
import { parseRef, type Command, type Jump, type NavigationEntry } from "#core/pages.ts";
import type { RecentEntry } from "#core/recent.ts";

/** One entry of the search dialog. */
export interface Entry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly ref: string | null;
  readonly icon: NavigationEntry["icon"];
  /** Where the entry leads. */
  readonly href?: string;
  /** What it does instead. */
  readonly run?: () => void;
  readonly keys?: string;
}

/** A command that the viewer may give now. */
export type OfferedCommand = Pick<Command, "id" | "label" | "icon"> & { run(): void };

interface Sources {
  readonly t: Translate;
  readonly text: string;
  readonly pages: readonly NavigationEntry[];
  readonly jumps: readonly Jump[];
  readonly commands: readonly OfferedCommand[];
  readonly recent: readonly RecentEntry[];
  readonly results: readonly {
    kind: string;
    id: number;
    ref: string;
    title: string;
    subtitle: string | null;
  }[];
}

/** The entries for a text: a short id first, then results of the server, then pages and commands. */
export function entriesOf({ t, text, pages, jumps, commands, recent, results }: Sources): readonly Entry[] {
  const jumpOf = (kind: string) => jumps.find((jump) => jump.kind === kind);
  const object = (group: string, one: RecentEntry & { subtitle?: string | null }, icon?: Entry["icon"]): Entry[] => {
    const jump = jumpOf(one.kind);
    if (!jump) return [];
    const id = `${group} ${one.kind} ${one.id}`;
    return [
      {
        id,
        group,
        title: one.title,
        subtitle: one.subtitle ?? null,
        ref: one.ref === one.title ? null : one.ref,
        icon: icon ?? jump.icon,
        href: jump.href(one.id),
      },
    ];
  };
  const wanted = text.toLowerCase();
  const pageEntries = pages
    .filter(({ label }) => wanted === "" || t(label).toLowerCase().includes(wanted))
    .map(({ label, icon, to, letter }): Entry => ({
      id: to,
      group: t("search.places"),
      title: t(label),
      subtitle: null,
      ref: null,
      icon,
      href: to,
      ...(letter === undefined ? {} : { keys: `g ${letter}` }),
    }));
  const doing = commands
    .filter(({ label }) => wanted === "" || t(label).toLowerCase().includes(wanted))
    .map(({ id, label, icon, run }): Entry => ({
      id,
      group: t("search.commands"),
      title: t(label),
      subtitle: null,
      ref: null,
      icon,
      run,
    }));
  const lasting = [...pageEntries, ...doing];
  if (wanted === "") return [...recent.slice(0, 6).flatMap((one) => object(t("search.recent"), one, IconClock)), ...lasting];

  const ref = parseRef(text);
  const jump = ref && jumps.find(({ prefix }) => prefix === ref.prefix);
  const known = ref && results.some((one) => one.ref === `${ref.prefix}-${ref.id}`);
  const direct: Entry[] =
    jump && !known
      ? [
          {
            id: "direct",
            group: t("search.open"),
            title: `${ref.prefix}-${ref.id}`,
            subtitle: t(jump.label),
            ref: null,
            icon: jump.icon,
            href: jump.href(ref.id),
          },
        ]
      : [];
  const hits = results.flatMap((one) => object(t(jumpOf(one.kind)?.label ?? "search.results"), one));
  return [...direct, ...hits, ...lasting];
}
