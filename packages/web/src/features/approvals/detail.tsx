import { useState, type ReactNode } from "react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconCheck, IconClock, IconFileOff, IconX } from "@tabler/icons-react";
import contract from "virtual:form/approvals/refuseRequest";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText, type Translate } from "#core/i18n.ts";
import { permissionName, textOf } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { absoluteTime, writtenDays } from "#core/time.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField } from "#ui/formFields.tsx";
import { FormProblem } from "#ui/formParts.tsx";
import { PersonMarks } from "#ui/personMarks.tsx";
import { Facts, Section, TimeAgo } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { type ApprovalDetail, useAct, useApproval } from "./approvals.queries.ts";
import { kindText } from "./texts.ts";
import classes from "./approvals.module.css";

const route = getRouteApi("/approvals");
const detailRoute = getRouteApi("/approvals/$id");

export default function ApprovalDetailPage() {
  const { t } = useText();
  const { id } = detailRoute.useParams() as { id: string };
  const search = route.useSearch() as { list?: string };
  const navigate = useNavigate();
  const query = useApproval(Number(id));
  const request = query.data;
  const missing = query.isError && [400, 404].includes(asProblem(query.error).status);
  const name = request ? kindText(t, request.kind, "title", request.params) : t("approvals.panel.request");
  return (
    <DetailPane title={name} label={name} onClose={() => void navigate({ to: "/approvals", search })}>
      {query.isPending && (
        <div className={classes["padded"]}>
          <Bars widths={["60%", "45%", "70%"]} />
        </div>
      )}
      {missing && <EmptyState icon={IconFileOff} title={t("approvals.panel.missing")} text={t("approvals.errors.notFound")} />}
      {query.isError && !missing && (
        <div className={classes["padded"]}>
          <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        </div>
      )}
      {request && !missing && <Sections key={request.id} request={request} />}
    </DetailPane>
  );
}

function Sections({ request }: { request: ApprovalDetail }) {
  const { t, language } = useText();
  const { kind, params, state, createdAt, expiresAt, link } = request;
  const facts: { label: string; value: ReactNode }[] = [
    { label: t("approvals.panel.kind"), value: kindText(t, kind, "label") },
    { label: t("approvals.panel.state"), value: t(`approvals.panel.states.${state}`) },
    { label: t("approvals.panel.requester"), value: <Requester request={request} /> },
    { label: t("approvals.panel.createdAt"), value: <TimeAgo instant={createdAt} /> },
  ];
  if (state === "open" && expiresAt !== null)
    facts.push({ label: t("approvals.panel.expiresAt"), value: absoluteTime(expiresAt, language) });
  return (
    <>
      <Section title={t("approvals.panel.about")}>
        <p className={classes["text"]}>{kindText(t, kind, "text", params)}</p>
        <Facts facts={facts} />
        {request.facts.length > 0 && (
          <Facts
            facts={request.facts.map(({ label, values }) => ({
              label: textOf(t, label) ?? label,
              value:
                values.length === 0 ? (
                  t("approvals.panel.nothing")
                ) : (
                  <Lines lines={values.map((value) => writtenDays(value, language))} />
                ),
            }))}
          />
        )}
        {link !== null && (
          <p>
            <Link {...placeOf(link)} className={classes["link"] ?? ""}>
              {t("approvals.panel.open")}
            </Link>
          </p>
        )}
      </Section>
      <Section title={t("approvals.panel.steps")} count={request.steps}>
        <ol className={classes["steps"]}>
          {request.chain.map((step, n) => (
            <Step key={n} step={step} present={state === "open" && n + 1 === request.step} />
          ))}
        </ol>
      </Section>
      <Acts request={request} />
    </>
  );
}

/** Who asked, with what other features say of them: who is away asks nothing back. */
function Requester({ request: { requester, requesterId } }: { readonly request: ApprovalDetail }) {
  const { t } = useText();
  const { job } = useActiveIdentity().character;
  const nameOf = useNamer();
  const name = requester ?? t("approvals.panel.program");
  return (
    <>
      {requesterId === null ? name : nameOf({ id: requesterId, name }, job.name)}{" "}
      {requesterId !== null && <PersonMarks citizenId={requesterId} job={job.name} />}
    </>
  );
}

/** A link with its part behind the question mark, which the router takes apart from the path. */
function placeOf(link: string) {
  const { pathname, searchParams } = new URL(link, "https://rollcall.invalid");
  return { to: pathname, search: Object.fromEntries(searchParams) as never };
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line, n) => (
    <div key={n} className="rc-number">
      {line}
    </div>
  ));
}

type ChainStep = ApprovalDetail["chain"][number];

function deciderText(t: Translate, { by, permission, job, grade, citizen }: ChainStep["deciders"][number]): string {
  switch (by) {
    case "configAdmins":
      return t("approvals.panel.deciders.configAdmins");
    case "jobAdmins":
      return t("approvals.panel.deciders.jobAdmins", { job });
    case "right": {
      const name = job === null ? "right" : grade === null ? "rightIn" : "rightOfGrade";
      return t(`approvals.panel.deciders.${name}`, { right: permissionName(t, permission ?? ""), job, grade });
    }
    case "grade":
      return t("approvals.panel.deciders.grade", { job, grade });
    case "citizen":
      return citizen ?? "";
  }
}

function Step({ step: { deciders, decision }, present }: { step: ChainStep; present: boolean }) {
  const { t } = useText();
  const removed = t("approvals.panel.removedPerson");
  const Icon = decision === null ? IconClock : decision.approved ? IconCheck : IconX;
  return (
    <li data-present={present || undefined}>
      <Icon size={15} aria-hidden />
      <div>
        <div>{deciders.map((decider) => deciderText(t, decider)).join(` ${t("approvals.panel.or")} `)}</div>
        {decision && (
          <div className={classes["quiet"]}>
            {t(decision.approved ? "approvals.panel.approvedBy" : "approvals.panel.refusedBy", {
              name: decision.name ?? removed,
            })}
            {decision.onBehalf !== null && <> ({t("approvals.panel.onBehalf", { name: decision.onBehalf.name ?? removed })})</>},{" "}
            <TimeAgo instant={decision.at} />
          </div>
        )}
        {decision?.reason != null && <p className={classes["text"]}>{decision.reason}</p>}
      </div>
    </li>
  );
}

function Acts({ request }: { request: ApprovalDetail }) {
  const { t } = useText();
  const act = useAct(request);
  const [refusing, setRefusing] = useState(false);
  const { mayDecide, mayWithdraw, onBehalf } = request;
  const problem = act.variables?.what === "refuse" ? null : act.error;
  if (!mayDecide && !mayWithdraw) return <FormProblem problem={act.error} />;
  return (
    <Section title={t("approvals.panel.decision")}>
      <FormProblem problem={problem} />
      {onBehalf !== null && <p className={classes["quiet"]}>{t("approvals.panel.actsOnBehalf", { name: onBehalf })}</p>}
      {refusing && mayDecide && (
        <RefusalForm
          id={request.id}
          refuse={async (reason) => await act.mutateAsync({ what: "refuse", reason })}
          onClose={() => setRefusing(false)}
        />
      )}
      {!refusing && (
        <div className={classes["acts"]}>
          {mayDecide && (
            <>
              <Button size="compact-sm" loading={act.isPending} onClick={() => act.mutate({ what: "approve" })}>
                {t("approvals.panel.approve")}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setRefusing(true)}>
                {t("approvals.panel.refuse")}
              </Button>
            </>
          )}
          {mayWithdraw && (
            <Button size="compact-sm" variant="default" loading={act.isPending} onClick={() => act.mutate({ what: "withdraw" })}>
              {t("approvals.panel.withdraw")}
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}

const EMPTY = { version: 0, values: { reason: "" } };

interface RefusalProps {
  /** Of the request. */
  readonly id: number;
  refuse(reason: string): Promise<unknown>;
  onClose(): void;
}

function RefusalForm({ id, refuse, onClose }: RefusalProps) {
  const { t } = useText();
  const form = useContractForm<{ reason: string }>({
    contract,
    fields: { reason: { label: t("approvals.panel.reason") } },
    stored: EMPTY,
    draft: `approval.refusal.${id}`,
    save: async ({ reason }) => await refuse(reason),
    saved: onClose,
  });
  return (
    <Form form={form} className={classes["form"]}>
      <AreaField at="reason" rows={2} description={t("approvals.panel.reasonText")} autoFocus />
      <FormButtons
        className={classes["acts"]}
        submit={t("approvals.panel.refuse")}
        danger
        small
        cancel={{ text: t("approvals.panel.cancel"), run: () => form.model.leave(onClose) }}
      />
    </Form>
  );
}
