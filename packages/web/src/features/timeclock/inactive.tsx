import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Select } from "@mantine/core";
import { IconUserCheck } from "@tabler/icons-react";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import {
  type InactivePeople,
  listInactive,
  timeclockPermissions,
  timeclockTopic,
  usualInactiveDays,
} from "@rollcall/server/contract/timeclock";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { absoluteTime } from "#core/time.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { Guard } from "#ui/guard.tsx";
import { PanelPage } from "#ui/panel.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import type { InactiveSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

const route = getRouteApi("/jobs/timeclock/inactive");
const choices = [7, 14, 21, 31, 60] as const;

export default function InactivePage() {
  return (
    <Guard permission={timeclockPermissions.view}>
      <Inactive />
    </Guard>
  );
}

/** Colleagues who have not worked for some days, with the way to their profile, where notes are. */
function Inactive() {
  const { t } = useText();
  const navigate = useNavigate();
  const search: InactiveSearch = route.useSearch();
  const days = Number(search.days ?? usualInactiveDays);
  useFollow(timeclockTopic);
  const query = useQuery({ ...queryOf(listInactive, { query: { days } }), placeholderData: keepPreviousData });
  const { data } = query;
  const offered = [...new Set([...choices, days])].toSorted((a, b) => a - b);
  return (
    <PanelPage title={t("timeclock.inactive.title")} lead={t("timeclock.inactive.lead")}>
      <div className={classes["bar"]}>
        <Select
          className={classes["grade"] ?? ""}
          label={t("timeclock.inactive.days")}
          data={offered.map((count) => ({ value: String(count), label: t("timeclock.inactive.choice", { count }) }))}
          value={String(days)}
          allowDeselect={false}
          onChange={(value) =>
            value !== null && void navigate({ to: "/jobs/timeclock/inactive", search: { days: value }, replace: true })
          }
        />
        <Button variant="default" renderRoot={(props) => <Link to="/jobs/timeclock" search={{ view: "team" }} {...props} />}>
          {t("timeclock.back")}
        </Button>
      </div>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["80%", "70%", "75%"]} />}
      {data?.people.length === 0 && (
        <EmptyState icon={IconUserCheck} title={t("timeclock.inactive.none")} text={t("timeclock.inactive.noneText")} />
      )}
      {data && !data.complete && (
        <p className={classes["quiet"]}>{t("timeclock.inactive.incomplete", { count: data.people.length })}</p>
      )}
      {data && data.people.length > 0 && <People people={data.people} />}
    </PanelPage>
  );
}

function People({ people }: Pick<InactivePeople, "people">) {
  const { t, language } = useText();
  const opens = useAbilities().has(colleaguesPermissions.list);
  const nameOf = useNamer();
  const named = people.map((one) => ({ ...one, name: nameOf(one, one.job.name) }));
  return (
    <ul className={classes["list"]} data-inactive>
      {named.map(({ id, name, job, workedAt, hiredAt, days }) => (
        <li key={id}>
          <div className={classes["about"]}>
            <span className={classes["line"]}>
              <strong>{name}</strong>
              <span>{job.gradeLabel}</span>
              <span>{days === null ? t("timeclock.inactive.never") : t("timeclock.inactive.idle", { count: days })}</span>
            </span>
            <span className={classes["quiet"]}>
              {[
                ...(workedAt === null ? [] : [t("timeclock.inactive.worked", { time: absoluteTime(workedAt, language) })]),
                ...(hiredAt === null ? [] : [t("timeclock.inactive.hired", { time: absoluteTime(hiredAt, language) })]),
              ].join(" · ")}
            </span>
          </div>
          {opens && (
            <Button
              size="compact-md"
              variant="default"
              aria-label={t("timeclock.inactive.openNamed", { name })}
              renderRoot={(props) => <Link to={`/jobs/colleagues/${id}`} {...props} />}
            >
              {t("timeclock.inactive.open")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
