import { useMemo, useState } from "react";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { renderSVG } from "uqr";
import type { OutputOf } from "@rollcall/server/contract/core";
import { confirmFactor, disableFactor, enrolFactor, ownFactor, renewRecoveryCodes } from "@rollcall/server/contract/auth";
import confirmContract from "virtual:form/auth/confirmFactor";
import codeContract from "virtual:form/auth/disableFactor";
import enrolContract from "virtual:form/auth/enrolFactor";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { hasNothing, queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { CopyText } from "#ui/copy.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { Facts, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { CodeInput, CurrentPassword } from "./fields.tsx";
import classes from "./account.module.css";

type Enrolled = OutputOf<typeof enrolFactor>;

/** The second factor: setting it up with an app, recovery codes, and turning it off. */
export default function FactorSection() {
  const { t } = useText();
  const queries = useQueryClient();
  const query = useQuery(queryOf(ownFactor, {}));
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const done = (shown: readonly string[] | null) => {
    setCodes(shown);
    void queries.invalidateQueries();
  };
  if (query.isPending) return <Bars widths={["60%", "45%", "70%"]} />;
  if (query.data === undefined || hasNothing(query))
    return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  const { state, available, since, recoveryCodesLeft, neededForAdmin } = query.data;
  return (
    <>
      <h2>{t("account.sections.factor")}</h2>
      {neededForAdmin && (
        <p className={classes["notice"]}>{t(`account.factor.${state === "off" ? "neededForAdmin" : "signInForAdmin"}`)}</p>
      )}
      {state === "unreadable" && <p className={classes["notice"]}>{t("auth.errors.factorUnreadable")}</p>}
      {codes !== null && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
      {state === "off" ? (
        <Enrol available={available} onDone={done} />
      ) : (
        <>
          <Facts
            facts={[
              { label: t("account.factor.since"), value: since === null ? null : <TimeAgo instant={since} /> },
              { label: t("account.factor.left"), value: recoveryCodesLeft },
            ]}
          />
          <WithCode act="renew" onDone={done} />
          <WithCode act="disable" onDone={done} />
        </>
      )}
    </>
  );
}

const NOTHING = { version: 0, values: { password: "", code: "" } };
type Values = typeof NOTHING.values;
const AS_TYPED = ["password"];

function useFields() {
  const { t } = useText();
  return { password: { label: t("account.currentPassword") }, code: { label: t("auth.factor.code") } };
}

function Enrol({ available, onDone }: { available: boolean; onDone: (codes: readonly string[]) => void }) {
  const { t } = useText();
  const { password } = useFields();
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const form = useContractForm<Values>({
    contract: enrolContract,
    fields: { password },
    stored: NOTHING,
    asTyped: AS_TYPED,
    save: async (values) => setEnrolled(await api.call(enrolFactor, { body: { password: values.password } })),
  });
  if (!available) return <p className={classes["notice"]}>{t("auth.errors.factorNeedsSecret")}</p>;
  if (enrolled) return <Confirm enrolled={enrolled} onDone={onDone} />;
  return (
    <Form form={form} className={classes["form"]}>
      <p>{t("account.factor.text")}</p>
      <CurrentPassword />
      <FormButtons className={classes["acts"]} submit={t("account.factor.begin")} />
    </Form>
  );
}

function Confirm({ enrolled, onDone }: { enrolled: Enrolled; onDone: (codes: readonly string[]) => void }) {
  const { t } = useText();
  const { code } = useFields();
  const image = useMemo(() => `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(enrolled.uri))}`, [enrolled.uri]);
  const form = useContractForm<Values>({
    contract: confirmContract,
    fields: { code },
    stored: NOTHING,
    save: async (values) => onDone((await api.call(confirmFactor, { body: { code: values.code } })).recoveryCodes),
  });
  return (
    <Form form={form} className={classes["form"]}>
      <p>{t("account.factor.scan")}</p>
      <img className={classes["code"]} src={image} alt={t("account.factor.image")} />
      <p>
        {t("account.factor.orType")} <CopyText text={enrolled.secret} label={t("account.factor.key")} />
      </p>
      <CodeInput />
      <FormButtons className={classes["acts"]} submit={t("account.factor.confirm")} />
    </Form>
  );
}

interface WithCodeProps {
  readonly act: "renew" | "disable";
  onDone(codes: readonly string[] | null): void;
}

function WithCode({ act, onDone }: WithCodeProps) {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  if (opened) {
    const close = () => setOpened(false);
    return <CodeForm act={act} onDone={onDone} onClose={close} />;
  }
  return (
    <div className={classes["acts"]}>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t(`account.factor.${act}`)}
      </Button>
    </div>
  );
}

function CodeForm({ act, onDone, onClose }: WithCodeProps & { onClose: () => void }) {
  const { t } = useText();
  const form = useContractForm<Values>({
    contract: codeContract,
    fields: useFields(),
    stored: NOTHING,
    asTyped: AS_TYPED,
    async save(body) {
      let codes: readonly string[] | null = null;
      if (act === "renew") codes = (await api.call(renewRecoveryCodes, { body })).recoveryCodes;
      else await api.call(disableFactor, { body });
      onClose();
      onDone(codes);
    },
  });
  return (
    <Form form={form} className={classes["form"]}>
      <h3>{t(`account.factor.${act}`)}</h3>
      <CurrentPassword autoFocus />
      <CodeInput />
      <FormButtons
        className={classes["acts"]}
        submit={t(`account.factor.${act}`)}
        cancel={{ text: t("account.cancel"), run: onClose }}
      />
    </Form>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useText();
  return (
    <section className={classes["notice"]} aria-label={t("account.factor.codes")}>
      <h3>{t("account.factor.codes")}</h3>
      <p>{t("account.factor.codesText")}</p>
      <ul className={classes["codes"]}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes["acts"]}>
        <Button onClick={onClose}>{t("account.factor.kept")}</Button>
        <CopyText text={codes.join("\n")} label={t("account.factor.copyAll")} />
      </div>
    </section>
  );
}
