import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** ElasticMQ in memory, on loopback, without its server of statistics. */
class ElasticMq {
    public static void main(String[] arguments) throws Exception {
        var server = SQSRestServerBuilder.withInterface("127.0.0.1").withDynamicPort().start();
        var binding = server.waitUntilStarted();
        System.out.println("listening on " + binding.localAddress().getPort());
        while (System.in.read() != -1) {}
        System.exit(0);
    }
}
