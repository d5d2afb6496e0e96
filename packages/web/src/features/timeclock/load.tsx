import { Link } from "@tanstack/react-router";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import { dutyPermissions } from "@rollcall/server/contract/duty";
import { getLoad, loadExport, timeclockPermissions, timeclockTopic } from "@rollcall/server/contract/timeclock";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { useSeenQuery } from "#core/seen.ts";
import { calendarDay } from "#core/time.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { Plot } from "#ui/plots/plot.tsx";
import { unknownIn, workedByHour } from "./load.plots.ts";
import type { Range } from "./range.ts";
import { type TeamFilter, teamQuery } from "./timeclock.queries.ts";
import classes from "./timeclock.module.css";

/** How many colleagues worked in each hour of the week, on average. */
export function LoadPlot({ range, filter }: { readonly range: Range; readonly filter: TeamFilter }) {
  const { t, language } = useText();
  const abilities = useAbilities();
  const exports = abilities.has(timeclockPermissions.export) && !tablet;
  useFollow(timeclockTopic);
  const answer = useSeenQuery(queryOf(getLoad, { query: teamQuery(range, filter) }));
  const { data } = answer;
  const { unknown, all } = unknownIn({ cells: data?.cells ?? [] });
  return (
    <section data-load={data === undefined ? "waiting" : "shown"}>
      <Plot of={workedByHour} answer={answer} />
      {data && (
        <p className={classes["quiet"]}>
          {t("timeclock.load.about", { zone: data.zone })}
          {unknown > 0 && ` ${t("timeclock.load.gaps", { unknown, all })}`}
          {!data.complete && ` ${t("timeclock.load.incomplete", { day: calendarDay(data.firstDay, language) })}`}
        </p>
      )}
      {data && exports && <ExportButton kind={loadExport} filter={teamQuery(range, filter)} />}
      <p className={classes["bar"]}>
        {abilities.has(dutyPermissions.statistics) && <Link to="/duty/hours">{t("timeclock.load.duty")}</Link>}
        {abilities.has(colleaguesPermissions.statistics) && <Link to="/jobs/statistics">{t("timeclock.load.statistics")}</Link>}
      </p>
    </section>
  );
}
