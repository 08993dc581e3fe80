import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ArchiveFile, KeepArchiveFile } from '../../core/archive/archive-row.ts';

const zipped = promisify(gzip);

/** Stores files of rows as gzipped JSON lines, each in the folder of its table and day. */
export function archiveBucket(client: S3Client, bucket: string): KeepArchiveFile {
  return async (file) => {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: archiveKey(file),
        Body: await zipped(file.rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        ContentType: 'application/gzip',
      }),
    );
  };
}

/** Athena reads the compression from the file extension, and the day from the folder. */
function archiveKey({ table, day, name }: ArchiveFile): string {
  return `${table}/day=${day}/${name}.jsonl.gz`;
}
