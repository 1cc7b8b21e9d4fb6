/**
 * Attachments whose words are not on disk (files before 2.1.270). The client renders them again; we know that there
 * is a block, not what it says. Source: resume rule 51.
 */
const SENT = new Set([
  'agent_listing_delta',
  'auto_mode',
  'auto_mode_exit',
  'compact_file_reference',
  'critical_system_reminder',
  'date',
  'date_change',
  'deferred_tools_delta',
  'directory',
  'edited_text_file',
  'file',
  'hook_additional_context',
  'hook_blocking_error',
  'hook_success',
  'invoked_skills',
  'mcp_instructions_delta',
  'model',
  'nested_memory',
  'opened_file_in_ide',
  'plan_file_reference',
  'plan_mode',
  'plan_mode_exit',
  'plan_mode_reentry',
  'queued_command',
  'read_truncation_notice',
  'selected_lines_in_ide',
  'skill_listing',
  'total_tokens_reminder',
  'ultrathink_effort',
]);

export const sentAttachment = (kind: string): boolean => SENT.has(kind);
