import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useToday } from "#core/today.ts";
import { PersonView } from "./person.tsx";
import { rangeOf, type Span } from "./range.ts";
import { RangeBar } from "./rangeBar.tsx";
import type { TimeclockSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

/** The hours of a colleague, which their own page shows with the rest of the team. */
export default function ColleagueHours({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const own = useActiveIdentity().character.id;
  const today = useToday();
  const [picked, setPicked] = useState<{ readonly span?: Span; readonly day?: string; readonly until?: string }>({});
  const chosen = { ...picked, span: picked.span ?? "week", day: picked.day ?? today };
  const range = rangeOf(chosen.span, chosen.day, chosen.until);
  const go = (next: TimeclockSearch) => setPicked((before) => ({ ...before, ...next }));
  return (
    <div className={classes["tab"]}>
      <div className={classes["bar"]}>
        <RangeBar span={chosen.span} range={range} onChange={go} />
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/jobs/timeclock"
              search={citizenId === own ? chosen : { ...chosen, person: String(citizenId) }}
              {...props}
            />
          )}
        >
          {t("timeclock.commands.person")}
        </Button>
      </div>
      <PersonView id={citizenId} isOwn={citizenId === own} span={chosen.span} range={range} onDay={go} />
    </div>
  );
}
