import { useMemo, useState, type FormEvent } from "react";
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { renderSVG } from "uqr";
import type { OutputOf } from "@rollcall/server/contract/core";
import { confirmFactor, disableFactor, enrolFactor, ownFactor, renewRecoveryCodes } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { CopyText } from "#ui/copy.tsx";
import { Facts, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { CurrentPassword } from "./fields.tsx";
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
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
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

function Enrol({ available, onDone }: { available: boolean; onDone: (codes: readonly string[]) => void }) {
  const { t } = useText();
  const [password, setPassword] = useState("");
  const begin = useMutation({ mutationFn: () => api.call(enrolFactor, { body: { password } }) });
  if (!available) return <p className={classes["notice"]}>{t("auth.errors.factorNeedsSecret")}</p>;
  if (begin.data) return <Confirm enrolled={begin.data} onDone={onDone} />;
  return (
    <form
      className={classes["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate();
      }}
    >
      <p>{t("account.factor.text")}</p>
      {begin.isError && <ProblemNote error={begin.error} />}
      <CurrentPassword value={password} onChange={setPassword} />
      <div className={classes["acts"]}>
        <Button type="submit" loading={begin.isPending} disabled={password === ""}>
          {t("account.factor.begin")}
        </Button>
      </div>
    </form>
  );
}

function Confirm({ enrolled, onDone }: { enrolled: Enrolled; onDone: (codes: readonly string[]) => void }) {
  const { t } = useText();
  const [code, setCode] = useState("");
  const image = useMemo(() => `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(enrolled.uri))}`, [enrolled.uri]);
  const confirm = useMutation({
    mutationFn: () => api.call(confirmFactor, { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <form
      className={classes["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <p>{t("account.factor.scan")}</p>
      <img className={classes["code"]} src={image} alt={t("account.factor.image")} />
      <p>
        {t("account.factor.orType")} <CopyText text={enrolled.secret} label={t("account.factor.key")} />
      </p>
      {confirm.isError && <ProblemNote error={confirm.error} />}
      <CodeInput value={code} onChange={setCode} />
      <div className={classes["acts"]}>
        <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ""}>
          {t("account.factor.confirm")}
        </Button>
      </div>
    </form>
  );
}

function CodeInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useText();
  return (
    <TextInput
      label={t("auth.factor.code")}
      description={t("auth.factor.codeText")}
      name="code"
      inputMode="text"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function WithCode({ act, onDone }: { act: "renew" | "disable"; onDone: (codes: readonly string[] | null) => void }) {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const send = useMutation({
    mutationFn: async () => {
      const body = { password, code };
      if (act === "renew") return (await api.call(renewRecoveryCodes, { body })).recoveryCodes;
      await api.call(disableFactor, { body });
      return null;
    },
    onSuccess: (codes) => {
      setOpened(false);
      setPassword("");
      setCode("");
      onDone(codes);
    },
  });
  if (!opened) {
    return (
      <div className={classes["acts"]}>
        <Button variant="default" onClick={() => setOpened(true)}>
          {t(`account.factor.${act}`)}
        </Button>
      </div>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <h3>{t(`account.factor.${act}`)}</h3>
      {send.isError && <ProblemNote error={send.error} />}
      <CurrentPassword value={password} onChange={setPassword} autoFocus />
      <CodeInput value={code} onChange={setCode} />
      <div className={classes["acts"]}>
        <Button type="submit" loading={send.isPending} disabled={password === "" || code.trim() === ""}>
          {t(`account.factor.${act}`)}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => setOpened(false)}>
          {t("account.cancel")}
        </Button>
      </div>
    </form>
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
