import { useState, type FormEvent } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Badge, Button, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconX } from "@tabler/icons-react";
import {
  accessCatalogue,
  accessPermissions,
  listRoles,
  myRights,
  rightsOf,
  type AccessDecision,
  type RowLabels,
} from "@rollcall/server/contract/access";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { parseRef } from "#core/pages.ts";
import { hasNothing, queryOf } from "#core/queries.ts";
import { permissionName } from "#core/messages.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { CitizenSelect } from "#features/citizens/citizens.api.ts";
import { attributeName, gradeText, reasonText, type Permission } from "./grants.ts";
import { RowNames, useAttributeText } from "./naming.tsx";
import { PermissionList } from "./permissions.tsx";
import classes from "./access.module.css";
import own from "./rights.module.css";

/** Whose rights: `g3` for a grade, `c12` for a citizen, one's own otherwise. */
type Who = { kind: "me" } | { kind: "grade"; grade: number | null } | { kind: "citizen"; id: number | null };

function whoOf(text: string | undefined): Who {
  const [kind, rest = ""] = [text?.[0], text?.slice(1)];
  const id = /^\d{1,9}$/.test(rest) ? Number(rest) : null;
  if (kind === "g") return { kind: "grade", grade: id };
  if (kind === "c") return { kind: "citizen", id };
  return { kind: "me" };
}

export default function RightsPage() {
  const { t } = useText();
  const abilities = useAbilities();
  const { jobAdmin, seeAs, character } = useActiveIdentity();
  const job = jobAdmin?.job ?? seeAs?.job ?? character.job.name;
  const others = abilities.has(accessPermissions.viewRoles) || abilities.has(accessPermissions.editRoles);
  const navigate = useNavigate();
  const who = whoOf((useSearch({ strict: false }) as { who?: string }).who);
  const open = (value: string) => void navigate({ to: "/panel/rights", search: { who: value } });
  const kind = others ? who.kind : "me";
  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>{t("access.rights.title")}</h1>
        {others && (
          <SegmentedControl
            size="xs"
            aria-label={t("access.rights.whose")}
            value={kind}
            onChange={(next) => open(next === "me" ? "me" : next === "grade" ? "g" : "c")}
            data={[
              { value: "me", label: t("access.rights.me") },
              { value: "grade", label: t("access.rights.grade") },
              { value: "citizen", label: t("access.rights.citizen") },
            ]}
          />
        )}
      </div>
      <div className={own["body"]}>
        {kind === "me" && <Mine />}
        {kind === "grade" && who.kind === "grade" && (
          <>
            <GradePicker job={job} grade={who.grade} onPick={(grade) => open(`g${grade}`)} />
            {who.grade !== null && <Others query={{ job, grade: who.grade }} />}
          </>
        )}
        {kind === "citizen" && who.kind === "citizen" && (
          <>
            <CitizenPicker job={jobAdmin === null ? job : null} id={who.id} onPick={(id) => open(`c${id ?? ""}`)} />
            {who.id !== null && <Others query={{ citizenId: who.id }} />}
          </>
        )}
      </div>
    </div>
  );
}

function GradePicker(props: { job: string; grade: number | null; onPick: (grade: string) => void }) {
  const { t } = useText();
  const roles = useQuery(queryOf(listRoles, { params: { job: props.job } }));
  return (
    <Select
      className={own["picker"] ?? ""}
      label={t("access.rights.pickGrade", { job: roles.data?.label ?? props.job })}
      data={(roles.data?.grades ?? []).map(({ grade, label }) => ({ value: String(grade), label: `${grade} ${label}` }))}
      value={props.grade === null ? null : String(props.grade)}
      onChange={(grade) => grade !== null && props.onPick(grade)}
      allowDeselect={false}
    />
  );
}

interface CitizenPickerProps {
  /** The job whose members may be looked up; null: any citizen. */
  readonly job: string | null;
  readonly id: number | null;
  onPick(id: number | null): void;
}

/** By name for viewers who may search citizens, else by number. */
function CitizenPicker(props: CitizenPickerProps) {
  const abilities = useAbilities();
  return abilities.has(citizensPermissions.list) ? <CitizenSearch {...props} /> : <CitizenNumber onPick={props.onPick} />;
}

function CitizenSearch({ job, id, onPick }: CitizenPickerProps) {
  const { t } = useText();
  const abilities = useAbilities();
  const [picked, setPicked] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const shown = useQuery({ ...queryOf(rightsOf, { query: { citizenId: id ?? 0 } }), enabled: id !== null });
  const known = picked?.id === id ? picked : (shown.data?.citizen ?? null);
  return (
    <div className={own["picker"]}>
      <CitizenSelect
        label={t("access.rights.findCitizen")}
        job={job !== null && abilities.sees(citizensPermissions.list, "job") ? job : undefined}
        value={id === null ? null : known}
        onChange={(citizen) => {
          setPicked(citizen);
          onPick(citizen?.id ?? null);
        }}
      />
    </div>
  );
}

function CitizenNumber({ onPick }: { onPick: (id: number) => void }) {
  const { t } = useText();
  const [text, setText] = useState("");
  const id = parseRef(text)?.id ?? (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id !== null) onPick(id);
  };
  return (
    <form className={own["picker"]} onSubmit={submit}>
      <TextInput
        label={t("access.rights.pickCitizen")}
        placeholder="CIT-12"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" disabled={id === null}>
        {t("access.rights.show")}
      </Button>
    </form>
  );
}

function Mine() {
  const { t } = useText();
  const mine = useQuery(queryOf(myRights, {}));
  if (hasNothing(mine)) return <ProblemNote error={mine.error} onRetry={() => void mine.refetch()} />;
  if (!mine.data) return <Bars widths={["60%", "90%", "80%"]} />;
  return (
    <>
      {mine.data.powers.length > 0 && (
        <ul className={own["powers"]}>
          {mine.data.powers.map(({ power, source, by, name }) => (
            <li key={`${power} ${source} ${by} ${name}`}>
              <Badge>{t(`access.power.${power}`)}</Badge> {t(`access.powerFrom.${source}.${by}`, { name })}
            </li>
          ))}
        </ul>
      )}
      <Decisions {...mine.data} heading="h2" />
    </>
  );
}

function Others({ query }: { query: { citizenId?: number; job?: string; grade?: number } }) {
  const { t } = useText();
  const found = useQuery(queryOf(rightsOf, { query }));
  const known = useJob(found.data?.job ?? "");
  if (hasNothing(found)) return <ProblemNote error={found.error} />;
  if (!found.data) return <Bars widths={["60%", "90%", "80%"]} />;
  const { citizen, job, grade } = found.data;
  const rank = known?.grades.find((one) => one.grade === grade)?.label;
  return (
    <>
      {citizen && (
        <h2 className={own["person"]}>
          {t("access.rights.of", { name: citizen.name, job: known?.label || job, grade: rank ? `${grade} (${rank})` : grade })}
        </h2>
      )}
      <Decisions {...found.data} heading={citizen ? "h3" : "h2"} />
    </>
  );
}

interface DecisionsProps {
  readonly decisions: readonly AccessDecision[];
  readonly labels: RowLabels;
  readonly heading: "h2" | "h3";
}

function Decisions({ decisions, labels, heading }: DecisionsProps) {
  const catalogue = useQuery({ ...queryOf(accessCatalogue, {}), staleTime: 300_000 });
  if (hasNothing(catalogue)) return <ProblemNote error={catalogue.error} onRetry={() => void catalogue.refetch()} />;
  if (!catalogue.data) return <Bars widths={["60%", "90%", "80%"]} />;
  return (
    <RowNames permissions={catalogue.data.permissions} labels={labels}>
      <PermissionList permissions={catalogue.data.permissions} heading={heading}>
        {(permission) => (
          <DecisionRow
            key={permission.id}
            permission={permission}
            decision={decisions.find((one) => one.permission === permission.id)}
          />
        )}
      </PermissionList>
    </RowNames>
  );
}

function DecisionRow({ permission, decision }: { permission: Permission; decision: AccessDecision | undefined }) {
  const { t } = useText();
  const textOf = useAttributeText();
  const job = useJob((decision?.from ?? decision?.clipped)?.job ?? "");
  const held = decision?.held ?? false;
  return (
    <div className={classes["row"]} data-decision={held}>
      <div className={classes["text"]}>
        <div className={own["verdict"]} data-held={held}>
          {held ? <IconCheck size={15} aria-hidden /> : <IconX size={15} aria-hidden />}
          <span>{permissionName(t, permission.id)}</span>
        </div>
        {decision?.attributes.map(({ name, value, unclipped }) => (
          <div key={name} className={classes["quiet"]}>
            {attributeName(t, name)}: {textOf(permission.id, name, value)}
            {unclipped !== undefined && ` (${t("access.clippedFrom", { value: textOf(permission.id, name, unclipped) })})`}
          </div>
        ))}
        {decision?.clipped && (
          <div className={classes["clipped"]}>
            <IconAlertTriangle size={13} aria-hidden />{" "}
            {t("access.clippedGrade", { grade: gradeText(t, decision.clipped.grade, job) })}
          </div>
        )}
      </div>
      <div className={own["why"]}>{reasonText(t, decision, job)}</div>
    </div>
  );
}
