import { useState } from "react";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { attachToCall, callsLimits, getCall, noteCall } from "@rollcall/server/contract/calls";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import type { Call } from "./calls.queries.ts";
import classes from "./calls.module.css";

export interface WriteProps {
  readonly call: Pick<Call, "id">;
}

const MOST_PLATE = 16;

/** Writes into an open call: a note, a citizen by the number, or a plate. */
export default function Write({ call: { id } }: WriteProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [ownJobOnly, setOwn] = useState(false);
  const [attached, setAttached] = useState("");
  const [sending, setSending] = useState(false);
  const send = async (work: () => Promise<unknown>, done: () => void) => {
    setSending(true);
    try {
      await work();
      done();
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    setSending(false);
    await queries.invalidateQueries({ queryKey: [getCall.id] });
  };
  const params = { id };
  const note = () =>
    void send(
      async () => await api.call(noteCall, { params, body: { text, ownJobOnly } }),
      () => setText((now) => (now === text ? "" : now)),
    );
  const attach = () => {
    const number = /^cit[-\s]?(\d{1,15})$/i.exec(attached.trim())?.[1];
    const body = number === undefined ? { plate: attached.trim() } : { citizenId: Number(number) };
    void send(
      async () => await api.call(attachToCall, { params, body }),
      () => setAttached((now) => (now === attached ? "" : now)),
    );
  };
  return (
    <>
      <form
        className={classes["write"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "" && !sending) note();
        }}
      >
        <TextInput
          label={t("calls.note")}
          value={text}
          maxLength={callsLimits.note}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Checkbox label={t("calls.ownJobOnly")} checked={ownJobOnly} onChange={(event) => setOwn(event.currentTarget.checked)} />
        <Button type="submit" variant="default" disabled={text.trim() === ""} loading={sending}>
          {t("calls.writeNote")}
        </Button>
      </form>
      <form
        className={classes["write"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (attached.trim() !== "" && !sending) attach();
        }}
      >
        <TextInput
          label={t("calls.attach")}
          description={t("calls.attachHint")}
          value={attached}
          maxLength={MOST_PLATE}
          onChange={(event) => setAttached(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={attached.trim() === ""}>
          {t("calls.attachIt")}
        </Button>
      </form>
    </>
  );
}
