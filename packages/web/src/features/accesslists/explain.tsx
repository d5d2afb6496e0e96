import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { accessAudience, explainAccess } from "@rollcall/server/contract/accesslists";
import { type citizenFields, citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { permissionName } from "#core/messages.ts";
import { CitizenSelect } from "#features/citizens/citizens.api.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./accesslists.module.css";

const jobField: (typeof citizenFields)[number] = "job";

type Explained = OutputOf<typeof explainAccess>;

export interface AccessExplainProps {
  readonly kind: string;
  readonly id: number;
  /** Viewers who may edit the list also see all of it, and may check other citizens. */
  readonly mayEdit: boolean;
}

/** Who can see an object, and why a citizen can or cannot. */
export default function AccessExplain({ kind, id, mayEdit }: AccessExplainProps) {
  const { t } = useText();
  const seesJobs = useAbilities().sees(citizensPermissions.list, jobField);
  const mine = useQuery({ ...queryOf(explainAccess, { params: { kind, id }, query: {} }), staleTime: 0 });
  return (
    <div className={classes["explain"]}>
      <section>
        <h3>{t("accesslists.you")}</h3>
        {mine.isPending && <Bars widths={["80%"]} />}
        {mine.isError && <ProblemNote error={mine.error} onRetry={() => void mine.refetch()} />}
        {mine.data && <Reason explained={mine.data} />}
        {mine.data && mine.data.level !== mine.data.levels.at(-1) && mine.data.grantors.length > 0 && (
          <p className={classes["quiet"]}>{t("accesslists.grantors", { names: mine.data.grantors.join(", ") })}</p>
        )}
      </section>
      {mayEdit && <Audience kind={kind} id={id} />}
      {mayEdit && seesJobs && <Other kind={kind} id={id} />}
      {mayEdit && !seesJobs && (
        <p className={classes["quiet"]}>
          {t("accesslists.jobsHidden", { right: permissionName(t, citizensPermissions.list.id) })}
        </p>
      )}
    </div>
  );
}

function Reason({ explained, other = false }: { explained: Explained; other?: boolean }) {
  const { t } = useText();
  const { level, reason } = explained;
  const Icon = level === null ? IconCircleX : IconCircleCheck;
  const label = reason.entry?.label ?? "";
  return (
    <p className={classes["reason"]} data-held={level !== null}>
      <Icon size={16} aria-hidden />
      <span>
        <strong>{t(`accesslists.levels.${reason.kind === "hidden" ? "hidden" : (level ?? "none")}`)}</strong>{" "}
        {t(`accesslists.because.${other && reason.kind === "creator" ? "creatorOther" : reason.kind}`, { label })}
      </span>
    </p>
  );
}

/** Whether the creator is still in the job is null for viewers who may not see the jobs of citizens. */
function creatorKey(stillInJob: boolean | null): string {
  if (stillInJob === null) return "creatorMade";
  return stillInJob ? "creator" : "creatorGone";
}

function Audience({ kind, id }: { kind: string; id: number }) {
  const { t } = useText();
  const query = useQuery({ ...queryOf(accessAudience, { params: { kind, id } }), staleTime: 0 });
  return (
    <section>
      <h3>{t("accesslists.audience")}</h3>
      {query.isPending && <Bars widths={["80%", "60%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <ul className={classes["audience"]}>
          {query.data.public && <li>{t("accesslists.everybody")}</li>}
          {query.data.creator && (
            <li data-off={query.data.creator.stillInJob === false}>
              {t(`accesslists.${creatorKey(query.data.creator.stillInJob)}`, {
                name: query.data.creator.name,
                job: query.data.creator.job,
              })}
            </li>
          )}
          {query.data.entries.map((entry) => (
            <li key={`${entry.subject} ${entry.job} ${entry.minGrade} ${entry.id}`} data-off={entry.level === "blocked"}>
              <span>
                {entry.label}
                {entry.subject === "job" && <> {t("accesslists.andAbove")}</>}
              </span>
              <span className={classes["quiet"]}>
                {t(`accesslists.levels.${entry.level}`)}
                {entry.people !== null && <> · {t("accesslists.people", { count: entry.people })}</>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Other({ kind, id }: { kind: string; id: number }) {
  const { t } = useText();
  const [citizen, setCitizen] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const query = useQuery({
    ...queryOf(explainAccess, { params: { kind, id }, query: { citizenId: citizen?.id ?? 0 } }),
    enabled: citizen !== null,
    staleTime: 0,
  });
  return (
    <section>
      <CitizenSelect label={t("accesslists.ask")} value={citizen} onChange={setCitizen} />
      {query.isError && <ProblemNote error={query.error} />}
      {citizen && query.data && <Reason explained={query.data} other />}
    </section>
  );
}
