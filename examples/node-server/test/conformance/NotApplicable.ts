/** What the conformance tool of MCP can't check at a drive, and why. The test fails when one of these begins to pass. */

const tool = (name: string) => `It calls the tool ${name}, which is part of the tool's own sample server.`
const prompt = (name: string) => `It gets the prompt ${name}, which is part of the tool's own sample server.`
const resource = (name: string) => `It reads the resource ${name}, which is part of the tool's own sample server.`
const noSessions = "It checks sessions; this server has none, in no revision."
const noSubscriptions =
  "It subscribes to a resource; this server does not offer that (no capability resources.subscribe)."
const noInput = (name: string) =>
  `It calls ${name} of the tool's own sample server, which asks its client for input; no tool of a drive does.`
const noTasks =
  "It checks the extension for tasks, which this server does not declare: long work has an id that other tools take."
const noSkills = "It checks the extension for skills, which this server does not declare."

/** Scenarios, by name; or by name and revision, where they apply in other revisions. */
export const scenarios: Readonly<Record<string, string>> = {
  "server-session-lifecycle": noSessions,
  "server-sse-multiple-streams 2025-11-25": noSessions,
  "server-sse-polling": `${noSessions} ${tool("test_reconnection")}`,
  "tools-call-simple-text": tool("test_simple_text"),
  "tools-call-image": tool("test_image_content"),
  "tools-call-audio": tool("test_audio_content"),
  "tools-call-embedded-resource": tool("test_embedded_resource"),
  "tools-call-mixed-content": tool("test_multiple_content_types"),
  "tools-call-with-logging": tool("test_tool_with_logging"),
  "tools-call-error": tool("test_error_handling"),
  "tools-call-with-progress": tool("test_tool_with_progress"),
  "tools-call-sampling": tool("test_sampling"),
  "tools-call-elicitation": tool("test_elicitation"),
  "json-schema-2020-12": tool("json_schema_2020_12_tool"),
  "elicitation-sep1034-defaults": tool("test_elicitation_sep1034_defaults"),
  "elicitation-sep1330-enums": tool("test_elicitation_sep1330_enums"),
  "resources-read-text": resource("test://static-text"),
  "resources-read-binary": resource("test://static-binary"),
  "resources-templates-read": resource("test://template/123/data"),
  "resources-subscribe": noSubscriptions,
  "resources-unsubscribe": noSubscriptions,
  "prompts-get-simple": prompt("test_simple_prompt"),
  "prompts-get-with-args": prompt("test_prompt_with_arguments"),
  "prompts-get-embedded-resource": prompt("test_prompt_with_embedded_resource"),
  "prompts-get-with-image": prompt("test_prompt_with_image"),
  "http-custom-header-server-validation": "It takes a tool whose schema has x-mcp-header; no tool of a drive has.",
  "input-required-result-basic-elicitation": noInput("test_input_required_result_elicitation"),
  "input-required-result-basic-sampling": noInput("test_input_required_result_sampling"),
  "input-required-result-basic-list-roots": noInput("test_input_required_result_list_roots"),
  "input-required-result-request-state": noInput("test_input_required_result_request_state"),
  "input-required-result-multiple-input-requests": noInput("test_input_required_result_multiple_inputs"),
  "input-required-result-multi-round": noInput("test_input_required_result_multi_round"),
  "input-required-result-missing-input-response": noInput("test_input_required_result_elicitation"),
  "input-required-result-non-tool-request": noInput("test_input_required_result_prompt"),
  "input-required-result-result-type": noInput("test_input_required_result_elicitation"),
  "input-required-result-tampered-state": noInput("test_input_required_result_tampered_state"),
  "input-required-result-capability-check": noInput("test_input_required_result_capabilities"),
  "input-required-result-ignore-extra-params": noInput("test_input_required_result_elicitation"),
  "sep-2640-skills-directory": noSkills,
  "sep-2640-skills-enumeration": noSkills,
  "sep-2640-skills-manifest": noSkills,
  "tasks-lifecycle": noTasks,
  "tasks-capability-negotiation": noTasks,
  "tasks-wire-fields": noTasks,
  "tasks-request-state-removal": noTasks,
  "tasks-mrtr-input": noTasks,
  "tasks-request-headers": noTasks,
  "tasks-dispatch-and-envelope": noTasks,
  "tasks-status-notifications": noTasks,
  "tasks-required-task-error": noTasks,
  "tasks-mrtr-composition": noTasks
}

/** Single checks of scenarios that apply, by the check's id. */
export const checks: Readonly<Record<string, string>> = {
  "sep-2575-server-rejects-undeclared-capability": tool("test_missing_capability"),
  "sep-2575-missing-capability-http-400": tool("test_missing_capability"),
  "sep-2575-http-server-no-independent-requests-on-stream": tool("test_streaming_elicitation"),
  "sep-2575-server-no-log-without-loglevel": tool("test_logging_tool"),
  "sep-2575-server-sends-subscription-ack": noSubscriptions,
  "sep-2575-server-tags-subscription-id": noSubscriptions,
  "sep-2575-server-honors-notification-filter": noSubscriptions,
  "sep-2575-server-sends-prompts-list-changed-on-subscription": "A drive's prompts never change (no listChanged).",
  "sep-2575-server-sends-tools-list-changed-on-subscription": "A token's tools never change (no listChanged)."
}

/** Revisions, by date. */
export const revisions: Readonly<Record<string, string>> = {
  "2025-03-26": "This server offers 2025-06-18 and later."
}
