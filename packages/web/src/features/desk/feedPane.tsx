import { useState } from "react";
import { IconHistory } from "@tabler/icons-react";
import { panicMessage } from "@rollcall/server/contract/calls";
import type { Unit } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import type { Call } from "#features/calls/calls.api.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { TimeAgo, useServerNow } from "#ui/small.tsx";
import { EmptyState } from "#ui/states.tsx";
import type { DeskActions } from "./actions.ts";
import { type Happening, happenings, type Shown } from "./feed.ts";
import { Frame } from "./frame.tsx";
import classes from "./desk.module.css";

interface Props {
  /** Ended ones too. */
  readonly calls: readonly Call[];
  readonly units: readonly Unit[];
  readonly actions: DeskActions;
}

/** What happened, the latest first. It begins with what calls and units say of themselves, and goes on live. */
export function FeedPane({ calls, units, actions }: Props) {
  const { t } = useText();
  const now = useServerNow(5_000);
  const [kept, setKept] = useState<{ readonly of: Shown | null; readonly list: readonly Happening[] }>({ of: null, list: [] });
  // Derived while rendering: what the last answers said is gone with the next ones.
  if (kept.of?.calls !== calls || kept.of.units !== units) {
    const shown = { calls, units, at: now };
    setKept({ of: shown, list: happenings(kept.list, kept.of, shown) });
  }
  return (
    <Frame title={t("desk.feed.title")} head={t("desk.feed.head")}>
      {kept.list.length === 0 ? (
        <EmptyState icon={IconHistory} title={t("desk.feed.empty.title")} text={t("desk.feed.empty.text")} />
      ) : (
        <ScrollArea className={classes["scroll"]} label={t("desk.feed.title")}>
          <ol className={classes["feed"]} data-pane="feed">
            {kept.list.map(({ key, at, what, call, about, status }) => (
              <li key={key}>
                <TimeAgo instant={at} />
                <span className={classes["grow"]}>
                  {call !== null && (
                    <button type="button" className={classes["link"]} onClick={() => actions.open(call)}>
                      #{call}
                    </button>
                  )}{" "}
                  {t(`desk.feed.what.${what}`, { about: about === panicMessage ? t("desk.calls.panic") : about })}
                  {status !== null && ` (${status})`}
                </span>
              </li>
            ))}
          </ol>
        </ScrollArea>
      )}
    </Frame>
  );
}
