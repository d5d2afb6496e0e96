import { useEffect, useEffectEvent, useState } from "react";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { getDraft, putDraft, removeDraft } from "@rollcall/server/contract/drafts";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { Problem } from "#core/problem.ts";
import { api, session, transport } from "#core/services.ts";
import { device } from "#core/storage.ts";
import { limitsOf, type Limits, type Values } from "./contract.ts";
import { createDraftKeeper, type DraftKeeper } from "./drafts.ts";
import type { FieldError } from "./errors.ts";
import { draftOwner, keptDrafts } from "./kept.ts";
import type { Stored } from "./merge.ts";
import { FormModel, type FormRules } from "./model.ts";

/** How a field is called, and how its value is written where two versions are compared. */
export interface FieldInfo {
  readonly label: string;
  show?(value: unknown): string;
  /** What to write where the contract has a pattern. */
  readonly form?: string;
}

export interface FormOptions<V extends Values> extends Omit<FormRules<V>, "fields"> {
  /** All fields by their path in the contract, in their order on the page. */
  readonly fields: Readonly<Record<string, FieldInfo>>;
  /** The record as it is stored, or what a new one begins with. When it changes, the form follows. */
  readonly stored: Stored<V>;
  /** Name of the draft, such as `notice.12`. Left out, nothing is kept: for passwords, codes and single reasons. */
  readonly draft?: string;
}

type AnyModel = Omit<FormModel<Values>, "initial" | "use" | "begin" | "typed" | "stored">;

/** With values of any contract: what is around the fields needs no more. */
export interface ContractForm {
  readonly model: AnyModel;
  readonly fields: Readonly<Record<string, FieldInfo>>;
  readonly inputs: UseFormReturnType<Values>;
  limits(field: string): Limits;
}

/** Name of this device in drafts; made once. */
function deviceName(): string {
  const known = device.read("device");
  if (typeof known === "string") return known;
  const made = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  device.write("device", made);
  return made;
}

function keeperOf(form: string): DraftKeeper | null {
  const state = session.state.get();
  const owner = draftOwner();
  if (owner === null) return null;
  const characterId = state.phase === "active" ? state.character.id : undefined;
  const input = { params: { form }, query: characterId === undefined ? {} : { characterId } };
  return createDraftKeeper({
    kept: keptDrafts,
    clock: systemClock,
    now: () => transport.serverNow(),
    device: deviceName(),
    name: `${owner}.${form}`,
    remote: {
      read: async () => (await api.call(getDraft, input)).draft,
      write: async (body) => await api.call(putDraft, { ...input, body }),
      remove: async () => await api.call(removeDraft, input),
    },
  });
}

/**
 * A form over the contract of its operation. Its fields keep their own values, so a keystroke renders nothing but
 * its field; limits and required fields come from the contract.
 */
export function useContractForm<V extends Values>(options: FormOptions<V>): ContractForm {
  const { t } = useText();
  const { fields, stored, draft, ...rest } = options;
  const rules: FormRules<V> = { ...rest, fields: Object.keys(fields) };
  const [model] = useState(() => new FormModel(rules, stored, draft === undefined ? null : keeperOf(draft)));
  const inputs = useForm<Values>({
    mode: "uncontrolled",
    cascadeUpdates: true,
    initialValues: model.initial,
    onValuesChange: (values) => model.typed(values as V),
  });

  useEffect(() => model.use(rules));

  const fail = useEffectEvent((errors: Readonly<Record<string, FieldError | Problem>>) => {
    const text = (field: string, error: FieldError | Problem) => {
      if (error instanceof Problem) return problemMessage(t, error);
      const own = error.kind === "form" ? fields[field]?.form : undefined;
      return own ?? t(`web.form.wrong.${error.kind}`, { count: error.count ?? 0 });
    };
    inputs.setErrors(Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, text(field, error)])));
    const first = Object.keys(fields).find((field) => field in errors);
    if (first !== undefined) focusField(inputs, first);
  });
  const show = useEffectEvent((values: V) => {
    inputs.setValues(values);
    inputs.clearErrors();
  });
  const read = useEffectEvent(() => inputs.getValues() as V);

  useEffect(() => {
    const end = model.begin({ get: () => read(), set: (values) => show(values), fail: (errors) => fail(errors) });
    const flush = () => document.visibilityState === "hidden" && model.flush();
    document.addEventListener("visibilitychange", flush);
    return () => {
      document.removeEventListener("visibilitychange", flush);
      end();
    };
  }, [model]);

  useEffect(() => model.stored(stored), [model, stored]);

  return { model, fields, inputs, limits: (field) => limitsOf(options.contract, field) };
}

/** A field of several inputs marks the element that takes the focus, or itself, with `data-path`. */
function focusField(inputs: UseFormReturnType<Values>, field: string): void {
  // After the errors are shown: what was hidden, as in a closed part of the page, has no focus before.
  requestAnimationFrame(() => {
    const node = inputs.getInputNode<HTMLElement, string>(field);
    const target = node?.matches("input, textarea, select, button, [tabindex]")
      ? node
      : node?.querySelector<HTMLElement>("input, textarea, select, button");
    target?.focus();
    target?.scrollIntoView({ block: "nearest" });
  });
}
