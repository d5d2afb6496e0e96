import { useState } from "react";
import { Button, Input, MultiSelect } from "@mantine/core";
import { IconUserShare } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import contract from "virtual:form/approvals/createDelegation";
import type { FormContract } from "#core/forms/contract.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { transport } from "#core/services.ts";
import { calendarDay } from "#core/time.ts";
import { CitizenSelect } from "#features/citizens/citizens.api.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { DayInput } from "#ui/dayInput.tsx";
import { OwnField } from "#ui/formFields.tsx";
import { Bars, ProblemNote, RightHint } from "#ui/states.tsx";
import { type AnyDelegation, type Delegation, useAllDelegations, useDelegations } from "./approvals.queries.ts";
import { kindText } from "./texts.ts";
import classes from "./approvals.module.css";

const DAY = 86_400_000;
const WEEK = 7 * DAY;

const day = { type: "string", minLength: 1, pattern: "^\\d{4}-\\d{2}-\\d{2}$" };
/** People choose days, of which the contract has the instants. */
const withDays: FormContract = {
  ...contract,
  schema: {
    ...contract.schema,
    properties: { ...contract.schema.properties, citizenId: { type: ["integer", "null"] }, from: day, until: day },
  },
};

/** The day of an instant in the viewer's zone, as `YYYY-MM-DD`. */
function dayOf(instant: number): string {
  const date = new Date(instant);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first instant of a day in the viewer's zone, plus a number of days. */
function startOf(day: string, plus = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + plus).getTime();
}

/** Decisions that the viewer handed to somebody, or got. */
export function Delegations() {
  const { t } = useText();
  const mayChoose = useAbilities().has(citizensPermissions.list);
  const delegations = useDelegations();
  const [open, setOpen] = useState(false);
  const { query, end } = delegations;
  const { items = [], kinds = [] } = query.data ?? {};
  return (
    <section className={classes["delegations"]}>
      <div className={classes["head"]}>
        <h2>{t("approvals.panel.delegations")}</h2>
        {mayChoose && !open && kinds.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconUserShare size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t("approvals.panel.handOver")}
          </Button>
        )}
      </div>
      <p className={classes["quiet"]}>{t("approvals.panel.delegationsLead")}</p>
      {!mayChoose && <RightHint permission={citizensPermissions.list.id} />}
      {open && <HandOver kinds={kinds} delegations={delegations} onClose={() => setOpen(false)} />}
      {query.isPending && <Bars widths={["55%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {end.isError && <ProblemNote error={end.error} />}
      {query.isSuccess && items.length === 0 && <p>{t("approvals.panel.noDelegations")}</p>}
      <ul className={classes["list"]}>
        {items.map((item) => (
          <li key={item.id}>
            <One item={item} busy={end.isPending && end.variables === item.id} onEnd={() => end.mutate(item.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Of everybody, for config admins alone. */
export function AllDelegations() {
  const { account } = useActiveIdentity();
  return account.configAdmin ? <DelegationsOfAll /> : null;
}

function DelegationsOfAll() {
  const { t } = useText();
  const { query, end } = useAllDelegations();
  return (
    <section className={classes["delegations"]}>
      <h2>{t("approvals.panel.allDelegations")}</h2>
      <p className={classes["quiet"]}>{t("approvals.panel.allDelegationsLead")}</p>
      {query.isPending && <Bars widths={["55%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {end.isError && <ProblemNote error={end.error} />}
      {query.data?.items.length === 0 && <p>{t("approvals.panel.noDelegationsOfAll")}</p>}
      <ul className={classes["list"]}>
        {query.data?.items.map((item) => (
          <li key={item.id}>
            <Row
              item={item}
              title={t("approvals.panel.decidesFor", { to: item.to, by: item.by })}
              endLabel={t("approvals.panel.endOfAll", { to: item.to, by: item.by })}
              busy={end.isPending && end.variables === item.id}
              onEnd={() => end.mutate(item.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function One({ item, ...row }: { item: Delegation; busy: boolean; onEnd: () => void }) {
  const { t } = useText();
  const { given, by, to } = item;
  const name = given ? to : by;
  const title = t(given ? "approvals.panel.givenTo" : "approvals.panel.gotFrom", { name });
  return (
    <Row
      {...row}
      item={item}
      title={title}
      endLabel={t(given ? "approvals.panel.endGiven" : "approvals.panel.endGot", { name })}
    />
  );
}

function Row(props: { item: AnyDelegation; title: string; endLabel: string; busy: boolean; onEnd: () => void }) {
  const { t, language } = useText();
  const { kinds, from, until } = props.item;
  const { ask, dialog } = useConfirm();
  const day = (instant: number) => calendarDay(dayOf(instant), language);
  const end = () =>
    ask(
      {
        title: `${props.endLabel}?`,
        text: t("approvals.panel.endText", { title: props.title, until: day(until - 1) }),
        lost: kinds.map((kind) => kindText(t, kind, "label")),
        yes: t("approvals.panel.end"),
      },
      props.onEnd,
    );
  return (
    <div className={classes["delegation"]}>
      <div>
        <strong>{props.title}</strong>
        <span className={classes["quiet"]}>
          {kinds.map((kind) => kindText(t, kind, "label")).join(", ")} ·{" "}
          {t("approvals.panel.span", { from: day(from), until: day(until - 1) })}
        </span>
      </div>
      <Button size="compact-sm" variant="default" loading={props.busy} onClick={end} aria-label={props.endLabel}>
        {t("approvals.panel.end")}
      </Button>
      {dialog}
    </div>
  );
}

interface HandOverProps {
  readonly kinds: readonly string[];
  readonly delegations: ReturnType<typeof useDelegations>;
  onClose(): void;
}

interface Values {
  readonly [field: string]: unknown;
  readonly citizenId: number | null;
  readonly kinds: readonly string[];
  /** As `YYYY-MM-DD`; the contract has the instants at which the first day begins and the last one ends. */
  readonly from: string;
  readonly until: string;
}

function HandOver({ kinds, delegations: { create }, onClose }: HandOverProps) {
  const { t } = useText();
  const [to, setTo] = useState<{ id: number; name: string } | null>(null);
  const [stored] = useState(() => ({
    version: 0,
    values: {
      citizenId: null,
      kinds: kinds.length === 1 ? [...kinds] : [],
      from: dayOf(transport.serverNow()),
      until: dayOf(transport.serverNow() + WEEK),
    } satisfies Values,
  }));
  const form = useContractForm<Values>({
    contract: withDays,
    fields: {
      citizenId: { label: t("approvals.panel.to") },
      kinds: { label: t("approvals.panel.kinds") },
      from: { label: t("approvals.panel.from") },
      until: { label: t("approvals.panel.until") },
    },
    stored,
    check: ({ citizenId }) => (citizenId === null ? { citizenId: { kind: "needed" } } : {}),
    save: async (values) =>
      await create.mutateAsync({
        citizenId: values.citizenId ?? 0,
        kinds: [...values.kinds],
        from: startOf(values.from),
        until: startOf(values.until, 1),
      }),
    saved: onClose,
  });
  return (
    <Form form={form} className={classes["form"]}>
      <OwnField<number | null> at="citizenId">
        {({ set, error }) => (
          <>
            <CitizenSelect
              label={t("approvals.panel.to")}
              value={to}
              onChange={(citizen) => {
                setTo(citizen);
                set(citizen?.id ?? null);
              }}
            />
            {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
          </>
        )}
      </OwnField>
      <OwnField<readonly string[]> at="kinds">
        {({ value, set, error }) => (
          <MultiSelect
            label={t("approvals.panel.kinds")}
            data={kinds.map((kind) => ({ value: kind, label: kindText(t, kind, "label") }))}
            value={[...value]}
            onChange={set}
            error={error}
            clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
          />
        )}
      </OwnField>
      <div className={classes["acts"]}>
        {(["from", "until"] as const).map((at) => (
          <OwnField<string> key={at} at={at}>
            {({ value, set, error }) => (
              <DayInput label={t(`approvals.panel.${at}`)} value={value} onChange={set} error={error} required />
            )}
          </OwnField>
        ))}
      </div>
      <FormButtons
        className={classes["acts"]}
        submit={t("approvals.panel.handOver")}
        small
        cancel={{ text: t("approvals.panel.cancel"), run: onClose }}
      />
    </Form>
  );
}
