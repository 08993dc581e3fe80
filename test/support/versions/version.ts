export { messageItem, readMessage } from '../../../functions/adapters/dynamodb/history/message-item.ts';
export { messageRecordSchema } from '../../../functions/core/message/history.ts';
export { deliver } from '../../../functions/pipeline/deliver/deliver.ts';
