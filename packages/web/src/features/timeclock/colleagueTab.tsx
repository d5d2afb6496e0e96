import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { PersonView } from "./person.tsx";
import { rangeOf, type Span } from "./range.ts";
import { RangeBar } from "./rangeBar.tsx";
import { today } from "./timeclock.queries.ts";
import type { TimeclockSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

/** The hours of a colleague, which their own page shows with the rest of the team. */
export default function ColleagueHours({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const own = useActiveIdentity().character.id;
  const [chosen, setChosen] = useState<{ readonly span: Span; readonly day: string; readonly until?: string }>(() => {
    return { span: "week", day: today() };
  });
  const range = rangeOf(chosen.span, chosen.day, chosen.until);
  const go = (next: TimeclockSearch) => setChosen((before) => ({ ...before, ...next }));
  return (
    <>
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
    </>
  );
}
