import { useState } from "react";
import { SegmentedControl } from "@mantine/core";
import { signInRefusals } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useSeenQuery } from "#core/seen.ts";
import { absoluteTime } from "#core/time.ts";
import { Plot } from "#ui/plots/plot.tsx";
import { refusalsByDay, refusalsByHour } from "./refused.plots.ts";
import classes from "./status.module.css";

const LENGTHS = ["30", "90"] as const;
/** Days and hours are those of the viewer. */
const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How many sign-ins were refused, by day and reason, and by weekday and hour. */
export function Refusals() {
  const { t, language } = useText();
  const [days, setDays] = useState<string>("30");
  const query = queryOf(signInRefusals, { query: { days: Number(days), zone: zone() } });
  const answer = useSeenQuery(query);
  const since = answer.data?.since ?? null;
  return (
    <section className={classes["refusals"]}>
      <h2>{t("system.refusals.title")}</h2>
      <p className={classes["quiet"]}>{t("system.refusals.lead")}</p>
      <SegmentedControl
        size="xs"
        aria-label={t("system.refusals.length")}
        value={days}
        onChange={setDays}
        data={LENGTHS.map((value) => ({ value, label: t("system.refusals.days", { count: Number(value) }) }))}
      />
      {since !== null && (
        <p className={classes["quiet"]}>{t("system.refusals.since", { time: absoluteTime(since, language) })}</p>
      )}
      <Plot of={refusalsByDay} answer={answer} />
      <Plot of={refusalsByHour} answer={answer} />
    </section>
  );
}
