# A receiver in Sinatra:  SECRET=whsec_... ruby sinatra_app.rb
# In Rails, the same with request.raw_post, request.headers and skip_forgery_protection.
require 'digest'
require 'json'
require 'openssl'
require 'sinatra'
require 'tmpdir'

set :bind, '127.0.0.1'
set :port, ENV.fetch('PORT', '8080')
$stdout.sync = true

# Whether we signed the body for this attempt, at most five minutes ago.
def genuine?(body, id, timestamp, signatures, secret)
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  key = secret.delete_prefix('whsec_').unpack1('m0')
  return false if key.bytesize < 24 # with a secret that is not set, anybody could sign

  signed = OpenSSL::HMAC.digest('SHA256', key, [id, timestamp, body].join('.'))
  expected = "v1,#{[signed].pack('m0')}"
  signatures.split(' ').any? { |given| Rack::Utils.secure_compare(expected, given) }
rescue ArgumentError
  false # a secret that is not base64
end

post '/' do
  # Not params: what is signed are the bytes.
  body = request.body.read
  id, timestamp, signatures = %w[ID TIMESTAMP SIGNATURE].map { |name| request.get_header("HTTP_WEBHOOK_#{name}").to_s.b }
  halt 401 unless genuine?(body.b, id, timestamp, signatures, ENV.fetch('SECRET', ''))

  # A file for each stands for a table of yours with webhook-id as its key.
  inbox = File.join(ENV.fetch('INBOX', Dir.tmpdir), Digest::SHA256.hexdigest(id))
  begin
    File.open(inbox, File::WRONLY | File::CREAT | File::EXCL) { |file| file.write(body) }
    event = JSON.parse(body)
    puts "kept #{event['event_type']} #{event['resource_id']}"
  rescue Errno::EEXIST
    # It came before.
  end
  204
end
