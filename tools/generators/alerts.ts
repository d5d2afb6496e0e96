/** The alert of each metric; `expression` is PromQL, null where a metric needs no alert. */
export interface Alert {
  readonly expression: string | null;
  /** What the alert means, or why there is none. */
  readonly advice: string;
}

/** One entry for every metric of the program: the generator fails on a metric without one, and on one without a metric. */
export const alerts: Readonly<Record<string, Alert>> = {
  rollcall_broker_append_seconds: {
    expression: "histogram_quantile(0.99, sum by (le) (rate(rollcall_broker_append_seconds_bucket[5m]))) > 1",
    advice: "the broker's disk or network is slow",
  },
  rollcall_broker_appends_total: {
    expression: 'sum(rate(rollcall_broker_appends_total{outcome="failed"}[5m])) > 0',
    advice: "events wait in the database until the broker takes them",
  },
  rollcall_broker_handled_total: {
    expression: 'sum by (stream) (rate(rollcall_broker_handled_total{outcome="failed"}[10m])) > 0.1',
    advice: "a message fails again and again; the log names the consumer",
  },
  rollcall_broker_published_total: { expression: null, advice: "for looking at: traffic between processes" },
  rollcall_broker_up: { expression: "min(rollcall_broker_up) == 0", advice: "for 1 m: live pages stand still, nothing is lost" },
  rollcall_database_connections: {
    expression: 'max(rollcall_database_connections{state="waiting"}) > 0',
    advice: "for 5 m: raise database.maxOpenConns, or look for slow statements",
  },
  rollcall_database_repeats_total: {
    expression: "sum by (reason) (rate(rollcall_database_repeats_total[15m])) > 1",
    advice: "deadlocks or lost connections more often than now and then",
  },
  rollcall_database_statement_seconds: {
    expression: "histogram_quantile(0.99, sum by (le, mode) (rate(rollcall_database_statement_seconds_bucket[5m]))) > 0.5",
    advice: "the database is slow; look at its disk and its slow log",
  },
  rollcall_database_unit_seconds: {
    expression: 'sum by (unit) (rate(rollcall_database_unit_seconds_count{outcome="failed"}[5m])) > 0.2',
    advice: "a use case fails; the log has its error",
  },
  rollcall_http_request_seconds: {
    expression:
      'sum(rate(rollcall_http_request_seconds_count{status=~"5.."}[5m])) / sum(rate(rollcall_http_request_seconds_count[5m])) > 0.01',
    advice: "one answer in a hundred is a fault; the log has the trace ids",
  },
  rollcall_imageproxy_cache_bytes: { expression: null, advice: "for looking at: the cache keeps itself below 512 MB" },
  rollcall_imageproxy_fetched_bytes_total: {
    expression: "sum(rate(rollcall_imageproxy_fetched_bytes_total[15m])) > 5e6",
    advice: "pictures are fetched again and again: look at their hosts' cache rules, or raise minimumCacheDuration",
  },
  rollcall_imageproxy_refusals_total: {
    expression: "sum by (reason) (rate(rollcall_imageproxy_refusals_total[15m])) > 1",
    advice: "somebody tries addresses, or a host is missing in imageProxy.options.allowHosts",
  },
  rollcall_imageproxy_requests_total: { expression: null, advice: "for looking at: how often the cache helps" },
  rollcall_imageproxy_served_bytes_total: { expression: null, advice: "for looking at: traffic of pictures" },
  rollcall_ingame_toasts_total: {
    expression: 'sum(rate(rollcall_ingame_toasts_total{outcome="late"}[15m])) > 0.1',
    advice:
      "notifications reach the game more than a minute late and are left out: tasks wait or fail; see rollcall_task_delay_seconds and the log",
  },
  rollcall_job_lag_seconds: {
    expression: "max by (job) (rollcall_job_lag_seconds) > 1800",
    advice: "no worker has begun a job that is due: is one running?",
  },
  rollcall_job_last_duration_seconds: {
    expression: "max by (job) (rollcall_job_last_duration_seconds) > 3600",
    advice: "a job takes an hour; see what it removes or reads",
  },
  rollcall_gameserver_last_call_seconds: {
    expression: "time() - max by (source) (rollcall_gameserver_last_call_seconds) > 120",
    advice:
      "for 1 m: a game server reports nothing; after 15 minutes its people go off duty. A source disappears a day after its last call",
  },
  rollcall_job_last_success_seconds: {
    expression: "time() - max by (job) (rollcall_job_last_success_seconds) > 2 * 86400",
    advice: "every job goes well at least daily; the page Jobs of the panel has the messages",
  },
  rollcall_job_next_run_seconds: {
    expression: null,
    advice: "for looking at: rollcall_job_lag_seconds shows when it is overdue",
  },
  rollcall_job_runs_total: {
    expression: 'sum by (job) (increase(rollcall_job_runs_total{outcome="failed"}[1d])) > 0',
    advice: "a job failed; it is in the audit log too",
  },
  rollcall_job_seconds: { expression: null, advice: "for looking at: how long jobs take" },
  rollcall_lease_lost_total: {
    expression: "sum by (lease) (increase(rollcall_lease_lost_total[1h])) > 2",
    advice: "a worker freezes for longer than 10 s: too little memory or processor time",
  },
  rollcall_outbox_lag_seconds: {
    expression: "max(rollcall_outbox_lag_seconds) > 30",
    advice: "for 2 m: changes are stored but live pages and reactions do not receive them",
  },
  rollcall_outbox_published_total: {
    expression: 'sum(rate(rollcall_outbox_published_total{outcome="failed"}[5m])) > 0',
    advice: "for 5 m: the broker refuses events",
  },
  rollcall_postals_codes: {
    expression: "max(rollcall_postals_codes) != min(rollcall_postals_codes)",
    advice: "for 1 m: processes read different files; `postalsFile` has to be the same on every machine",
  },
  rollcall_reactions_total: {
    expression: 'sum by (consumer) (rate(rollcall_reactions_total{outcome="failed"}[10m])) > 0.05',
    advice: "a reaction fails and is tried again; the log names the event",
  },
  rollcall_realtime_closes_total: {
    expression: "sum by (code) (rate(rollcall_realtime_closes_total[10m])) > 1",
    advice: "many live connections are ended: slow readers, or tokens that are refused",
  },
  rollcall_realtime_connections: {
    expression: "sum(rollcall_realtime_connections) < 0.5 * sum(rollcall_realtime_connections offset 5m)",
    advice: "half of the live pages went away at once: the proxy or the network",
  },
  rollcall_realtime_delay_seconds: {
    expression: "histogram_quantile(0.99, sum by (le) (rate(rollcall_realtime_delay_seconds_bucket[5m]))) > 1",
    advice: "pages show changes late; the web processes have too little processor time",
  },
  rollcall_realtime_events_sent_total: { expression: null, advice: "for looking at: live traffic" },
  rollcall_realtime_rechecks_total: {
    expression: null,
    advice: "for looking at: `signIn` is a change of rights during a sign-in, `missed` follows an outage of the broker",
  },
  rollcall_realtime_ring_events: { expression: null, advice: "for looking at: how far back pages can resume from memory" },
  rollcall_realtime_state_frames_total: {
    expression: 'sum(rate(rollcall_realtime_state_frames_total{outcome="dropped"}[5m])) > 10',
    advice: "viewers are too slow for positions; they see fewer",
  },
  rollcall_realtime_subscribes_total: {
    expression: 'sum(rate(rollcall_realtime_subscribes_total{mode="snapshot"}[5m])) > 5',
    advice: "pages load everything again instead of resuming: outages, or a stream that is too small",
  },
  rollcall_realtime_subscriptions: { expression: null, advice: "for looking at" },
  rollcall_retention_removed_total: {
    expression: "sum by (feature, kind) (increase(rollcall_retention_removed_total[1d])) > 1e6",
    advice: "a million rows of one kind went in a day: a time was shortened, or something writes far more than it used to",
  },
  rollcall_storage_bytes: {
    expression: "predict_linear(sum(rollcall_storage_bytes)[1d:1h], 30 * 86400) > 50e9",
    advice: "in a month uploads will have grown beyond 50 GB: put the size of your disk or bucket there",
  },
  rollcall_storage_files: { expression: null, advice: "for looking at: files by namespace" },
  rollcall_task_delay_seconds: {
    expression: 'histogram_quantile(0.99, sum by (le, lane) (rate(rollcall_task_delay_seconds_bucket{lane="prompt"}[10m]))) > 1',
    advice: "timers and reminders are late: start another worker, or look for a slow database",
  },
  rollcall_task_seconds: { expression: null, advice: "for looking at: how long tasks take" },
  rollcall_tasks_lost_total: {
    expression: "sum(increase(rollcall_tasks_lost_total[15m])) > 0",
    advice: "a worker died or lost its database during a task; another one repeats it",
  },
  rollcall_tasks_total: {
    expression: 'sum by (kind) (increase(rollcall_tasks_total{outcome="dead"}[1h])) > 0',
    advice: "a task failed for good: Schedules in the control panel shows why, and can retry it",
  },
  rollcall_tracing_spans_total: {
    expression: 'sum by (outcome) (rate(rollcall_tracing_spans_total{outcome!="sent"}[10m])) > 1',
    advice: "the collector is away or slow; spans are dropped, nothing waits for it",
  },
  rollcall_tracing_waiting_spans: { expression: null, advice: "for looking at: at most 2,048 wait" },
};
