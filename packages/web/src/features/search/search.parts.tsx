import { UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import type { Jump } from "#core/pages.ts";
import { Keys } from "#ui/small.tsx";
import type { Entry } from "./search.entries.ts";
import classes from "./search.module.css";

interface KindsProps {
  readonly jumps: readonly Jump[];
  readonly kind: string | null;
  onKind(kind: string | null): void;
}

/** What is searched: everything, or one kind. */
export function Kinds({ jumps, kind, onKind }: KindsProps) {
  const { t } = useText();
  const offered = [{ kind: null, label: "search.all" }, ...jumps.map((jump) => ({ kind: jump.kind, label: jump.label }))];
  return (
    <div className={classes["kinds"]} role="group" aria-label={t("search.kinds")}>
      {offered.map((one) => (
        <UnstyledButton
          key={one.kind ?? ""}
          className={classes["kind"] ?? ""}
          aria-pressed={one.kind === kind}
          onClick={() => onKind(one.kind)}
        >
          {t(one.label)}
        </UnstyledButton>
      ))}
    </div>
  );
}

interface GroupsProps {
  readonly entries: readonly Entry[];
  readonly active: number;
  readonly listId: string;
  onGo(entry: Entry): void;
  onHover(index: number): void;
  onActions(entry: Entry): void;
}

/** The entries under the names of their groups. */
export function Groups({ entries, active, listId, onGo, onHover, onActions }: GroupsProps) {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.map((group) => (
    <div key={group} role="group" aria-label={group}>
      <div className={classes["group"]} role="presentation">
        {group}
      </div>
      {entries.map((entry, index) =>
        entry.group !== group ? null : (
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            data-index={index}
            role="option"
            aria-selected={index === active}
            className={classes["option"]}
            onMouseMove={() => onHover(index)}
            tabIndex={-1}
            onMouseDown={(event) => {
              event.preventDefault();
              onGo(entry);
            }}
          >
            <entry.icon size={17} stroke={1.7} />
            <span className={classes["title"]}>{entry.title}</span>
            {entry.subtitle && <span className={classes["subtitle"]}>{entry.subtitle}</span>}
            <span className={classes["end"]}>{entry.keys ? <Keys keys={entry.keys} hint /> : entry.ref}</span>
            {entry.object && (
              <span
                className={classes["more"]}
                aria-hidden
                onMouseDown={(event) => {
                  event.preventDefault();
                  event.stopPropagation();
                  onActions(entry);
                }}
              >
                <IconChevronRight size={15} />
              </span>
            )}
          </div>
        ),
      )}
    </div>
  ));
}
